import { ScaffoldError } from "@kubescaffold/k8s";
import type { KustomizationError } from "kubescaffold/plugin";

/**
 * Thrown when a kustomization for the chart cannot be read, refers to a missing file, or uses an unsupported field.
 *
 * Fix: Fix it, or build it with kubectl: `kubectl kustomize config/default > bundle.yaml`, then pass `--manifests=bundle.yaml`.
 */
export class ChartSourceError extends ScaffoldError {
  readonly code = "HELM_KUSTOMIZATION";
  constructor(cause: KustomizationError) {
    super(`cannot create a chart from ${cause.place}: ${cause.problem}`, {
      hint: "fix it, or build it with `kubectl kustomize config/default > bundle.yaml`, then pass --manifests=bundle.yaml",
      cause,
    });
  }
}

/**
 * Thrown when the file in `--manifests` is missing, is a folder, is not a path relative to the project, or contains no manifests.
 *
 * Fix: Create it with `kubectl kustomize config/default`, or omit the flag.
 */
export class ManifestsError extends ScaffoldError {
  readonly code = "HELM_MANIFESTS";
}

/**
 * Thrown when there is no Deployment for the chart, or there are several and none is marked as the manager's.
 *
 * Fix: Set the label `control-plane: controller-manager` on the manager's Deployment.
 */
export class ManagerNotFoundError extends ScaffoldError {
  readonly code = "HELM_NO_MANAGER";
}

/**
 * Thrown when `--output-dir` or `--manifests` is empty.
 *
 * Fix: Set a value, or omit the flag.
 */
export class EmptyFlagError extends ScaffoldError {
  readonly code = "HELM_EMPTY_FLAG";
  constructor(name: string) {
    super(`flag --${name} is present but empty`, { hint: "set a value, or omit the flag" });
  }
}

/**
 * Thrown when `--output-dir` is outside of the project.
 *
 * Fix: Use a path in the project, such as `charts`.
 */
export class ChartFolderError extends ScaffoldError {
  readonly code = "HELM_CHART_FOLDER";
}

/**
 * Thrown when the existing `values.yaml` cannot be read.
 *
 * Fix: Fix it, or overwrite it with `--force`.
 */
export class ChartValuesError extends ScaffoldError {
  readonly code = "HELM_VALUES";
  constructor(path: string, problem: string) {
    super(`cannot keep ${path}: ${problem}`, { hint: "fix it, or pass --force to overwrite it" });
  }
}
