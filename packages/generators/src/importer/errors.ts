import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when an input of `import crd` contains no CustomResourceDefinition.
 *
 * Fix: Use a file, folder, or URL with a CustomResourceDefinition of apiextensions.k8s.io/v1.
 */
export class NoCrdError extends ScaffoldError {
  readonly code = "IMPORT_NO_CRD";
  constructor(source: string) {
    super(`cannot import ${source}: there is no CustomResourceDefinition in it`, {
      hint: "specify a file, folder, or URL of manifests with a CustomResourceDefinition of apiextensions.k8s.io/v1",
    });
  }
}

/**
 * Thrown when a CustomResourceDefinition has no group, kind, versions, or schema, is v1beta1, or occurs twice with different content.
 *
 * Fix: Use the manifest that its project publishes, or convert it to v1.
 */
export class InvalidCrdError extends ScaffoldError {
  readonly code = "IMPORT_INVALID_CRD";
}

/**
 * Thrown when CustomResourceDefinitions have values that API servers reject, which were printed with their positions; nothing was written.
 *
 * Fix: Fix the values and run the command again.
 */
export class InvalidCrdNamesError extends ScaffoldError {
  readonly code = "IMPORT_INVALID_NAMES";
  constructor(count: number) {
    super(
      `cannot import the definitions: ${count} ${count === 1 ? "value that API servers reject" : "values that API servers reject"}`,
      {
        hint: "fix the problems above; nothing was written",
      },
    );
  }
}

/**
 * Thrown when the name of a kind is not a valid TypeScript type name.
 *
 * Fix: Exclude it: pass the names of the other kinds with `--kind`.
 */
export class KindNameError extends ScaffoldError {
  readonly code = "IMPORT_KIND_NAME";
  constructor(kind: string, source: string) {
    super(`cannot import the kind ${JSON.stringify(kind)} of ${source}: it is not a valid name of a TypeScript type`, {
      hint: "exclude it by listing the other kinds with --kind",
    });
  }
}

/**
 * Thrown when the output folder contains types of another group.
 *
 * Fix: Choose another folder with `--output-dir`.
 */
export class FolderTakenError extends ScaffoldError {
  readonly code = "IMPORT_FOLDER_TAKEN";
  constructor(options: { readonly folder: string; readonly holds: string; readonly group: string }) {
    super(`cannot write ${options.group} into ${options.folder}: the folder contains the group ${options.holds}`, {
      hint: "choose another folder with --output-dir; nothing was written",
    });
  }
}
