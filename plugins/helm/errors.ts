import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a kustomization that a chart is to be made of cannot be read, names what is not there, or asks for what the command does not
 * apply.
 *
 * Fix: Correct it, or let kubectl build it: `kubectl kustomize config/default > bundle.yaml`, then pass `--manifests=bundle.yaml`.
 */
export class KustomizationError extends ScaffoldError {
  readonly code = "HELM_KUSTOMIZATION";
  constructor(place: string, problem: string) {
    super(`cannot make a chart of ${place}: ${problem}`, {
      hint: "correct it, or let kubectl build it: `kubectl kustomize config/default > bundle.yaml`, then pass --manifests=bundle.yaml",
    });
  }
}

/**
 * Thrown when the file that `--manifests` names is not there, is a folder, is not named relative to the project, or holds no manifests.
 *
 * Fix: Write it with `kubectl kustomize config/default`, or leave the flag out.
 */
export class ManifestsError extends ScaffoldError {
  readonly code = "HELM_MANIFESTS";
}

/**
 * Thrown when there is no Deployment to make a chart of, or it is not known which of several is the manager's.
 *
 * Fix: Give that of the manager the label `control-plane: controller-manager`.
 */
export class ManagerNotFoundError extends ScaffoldError {
  readonly code = "HELM_NO_MANAGER";
}

/**
 * Thrown when `--output-dir` or `--manifests` is empty.
 *
 * Fix: Give it a value, or leave it out.
 */
export class EmptyFlagError extends ScaffoldError {
  readonly code = "HELM_EMPTY_FLAG";
  constructor(name: string) {
    super(`flag --${name} is present but empty`, { hint: "give it a value, or leave it out" });
  }
}

/**
 * Thrown when `--output-dir` names a folder outside the project.
 *
 * Fix: Pass a path below the project, such as `charts`.
 */
export class ChartFolderError extends ScaffoldError {
  readonly code = "HELM_CHART_FOLDER";
}

/**
 * Thrown when the `values.yaml` that is to be kept cannot be read.
 *
 * Fix: Correct it, or write it anew with `--force`.
 */
export class ChartValuesError extends ScaffoldError {
  readonly code = "HELM_VALUES";
  constructor(path: string, problem: string) {
    super(`cannot keep ${path}: ${problem}`, { hint: "correct it, or pass --force to write it anew" });
  }
}
