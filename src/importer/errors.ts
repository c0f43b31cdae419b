import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when an input of `import crd` has no CustomResourceDefinition in it.
 *
 * Fix: Name a file, folder or address of manifests with one of apiextensions.k8s.io/v1.
 */
export class NoCrdError extends ScaffoldError {
  readonly code = "IMPORT_NO_CRD";
  constructor(source: string) {
    super(`cannot import ${source}: there is no CustomResourceDefinition in it`, {
      hint: "name a file, folder or address of manifests with a CustomResourceDefinition of apiextensions.k8s.io/v1",
    });
  }
}

/**
 * Thrown when a CustomResourceDefinition lacks its group, kind, versions or schema, is of v1beta1, or is given twice with different
 * contents.
 *
 * Fix: Take the manifest as its project publishes it, or convert it to v1.
 */
export class InvalidCrdError extends ScaffoldError {
  readonly code = "IMPORT_INVALID_CRD";
}

/**
 * Thrown when customResourceDefinitions have values that API servers refuse, which were printed with their places; nothing was written.
 *
 * Fix: Correct the places listed and run the command again.
 */
export class InvalidCrdNamesError extends ScaffoldError {
  readonly code = "IMPORT_INVALID_NAMES";
  constructor(count: number) {
    super(
      `cannot import the definitions: ${count} ${count === 1 ? "value that a server refuses" : "values that servers refuse"}`,
      {
        hint: "correct the places listed above; nothing was written",
      },
    );
  }
}

/**
 * Thrown when a kind has a name that no TypeScript type can have.
 *
 * Fix: Leave it out with `--kind` and the names of the others.
 */
export class KindNameError extends ScaffoldError {
  readonly code = "IMPORT_KIND_NAME";
  constructor(kind: string, source: string) {
    super(`cannot import the kind ${JSON.stringify(kind)} of ${source}: it is no name of a TypeScript type`, {
      hint: "leave it out with --kind and the names of the other kinds",
    });
  }
}

/**
 * Thrown when the folder that types are to be written to holds another group.
 *
 * Fix: Choose another folder with `--output-dir`.
 */
export class FolderTakenError extends ScaffoldError {
  readonly code = "IMPORT_FOLDER_TAKEN";
  constructor(options: { readonly folder: string; readonly holds: string; readonly group: string }) {
    super(`cannot write ${options.group} into ${options.folder}: the folder holds the group ${options.holds}`, {
      hint: "choose another folder with --output-dir; nothing was written",
    });
  }
}
