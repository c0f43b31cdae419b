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
  /** Whether `kubectl kustomize` may build it: it uses a field that is not applied here, or what is not in the project. */
  readonly isUnsupported: boolean;
  constructor(place: string, problem: string, { isUnsupported = false }: { readonly isUnsupported?: boolean } = {}) {
    super(`cannot build ${place}: ${problem}`, { hint: "fix it, and compare with the output of `kubectl kustomize`" });
    this.place = place;
    this.problem = problem;
    this.isUnsupported = isUnsupported;
  }
}
