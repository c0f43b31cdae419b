import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a kustomization cannot be built: it cannot be read, refers to a missing file, makes two objects one, or uses a field that is not
 * supported.
 *
 * Fix: Fix it; `kubectl kustomize <folder>` builds the same folder with all fields.
 */
export class KustomizationError extends ScaffoldError {
  readonly code = "KUSTOMIZATION";
  /** The file, or the folder, that is wrong. */
  readonly place: string;
  readonly problem: string;
  constructor(place: string, problem: string) {
    super(`cannot build ${place}: ${problem}`, { hint: "fix it, and compare with the output of `kubectl kustomize`" });
    this.place = place;
    this.problem = problem;
  }
}
