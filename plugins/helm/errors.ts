import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when a kustomization asks for what this program does not do itself, or cannot be read. */
export class KustomizationError extends ScaffoldError {
  readonly code = "HELM_KUSTOMIZATION";
  constructor(place: string, problem: string) {
    super(`cannot make a chart of ${place}: ${problem}`, {
      hint: "correct it, or let kubectl build it: `kubectl kustomize config/default > bundle.yaml`, then pass --manifests=bundle.yaml",
    });
  }
}

/** Is thrown when the file that --manifests names is not there or holds no manifests. */
export class ManifestsError extends ScaffoldError {
  readonly code = "HELM_MANIFESTS";
}

/** Is thrown when it is not known which Deployment is the manager's. */
export class ManagerNotFoundError extends ScaffoldError {
  readonly code = "HELM_NO_MANAGER";
}

/** Is thrown when a flag that names a path is empty. */
export class EmptyFlagError extends ScaffoldError {
  readonly code = "HELM_EMPTY_FLAG";
  constructor(name: string) {
    super(`flag --${name} is present but empty`, { hint: "give it a value, or leave it out" });
  }
}

/** Is thrown when a flag names a folder that is none of the project. */
export class ChartFolderError extends ScaffoldError {
  readonly code = "HELM_CHART_FOLDER";
}

/** Is thrown when the values that the user keeps cannot be read. */
export class ChartValuesError extends ScaffoldError {
  readonly code = "HELM_VALUES";
  constructor(path: string, problem: string) {
    super(`cannot keep ${path}: ${problem}`, { hint: "correct it, or pass --force to write it anew" });
  }
}
