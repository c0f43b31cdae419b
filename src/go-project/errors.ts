import { ScaffoldError } from "@kubescaffold/k8s";

import { ACCEPTED_LAYOUTS } from "./go-layout.ts";

/**
 * Thrown when the folder of the project to import has neither a PROJECT file nor CRDs in `config/crd/bases`.
 *
 * Fix: Use the root folder of a kubebuilder project, or the folder that contains its `config`; `--crds` names another folder of CRDs.
 */
export class NoGoProjectError extends ScaffoldError {
  readonly code = "IMPORT_NO_PROJECT";
  constructor(folder: string) {
    super(`cannot import ${folder}: there is no file PROJECT in it, and no CRD in config/crd/bases`, {
      hint: "specify the root folder of a kubebuilder project, or the folder that contains its config; --crds names another folder of CRDs",
    });
  }
}

/**
 * Thrown when the project to import is not a Go project with one of the layouts `go.kubebuilder.io/v2`, `v3`, and `v4`.
 *
 * Fix: Import a project with one of these layouts.
 */
export class GoLayoutError extends ScaffoldError {
  readonly code = "IMPORT_LAYOUT";
  constructor(layout: readonly string[]) {
    const isOurs = layout.some((key) => key.includes("kubescaffold"));
    super(`cannot import a project of the layout ${layout.length === 0 ? "(none)" : layout.join(", ")}`, {
      hint: isOurs
        ? "it is already a TypeScript project"
        : `import a project in Go with one of the layouts ${ACCEPTED_LAYOUTS.join(", ")}`,
    });
  }
}

/**
 * Thrown when the output folder of an imported project is not empty.
 *
 * Fix: Choose an empty folder with `--output-dir`.
 */
export class ImportTargetError extends ScaffoldError {
  readonly code = "IMPORT_TARGET_IN_USE";
  constructor(folder: string, found: string) {
    super(`cannot write a project to ${folder}: it already contains ${found}`, {
      hint: "choose an empty folder with --output-dir; nothing was written",
    });
  }
}
