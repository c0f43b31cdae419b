import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown when an input has no CustomResourceDefinition in it. */
export class NoCrdError extends ScaffoldError {
  readonly code = "IMPORT_NO_CRD";
  constructor(source: string) {
    super(`cannot import ${source}: there is no CustomResourceDefinition in it`, {
      hint: "name a file, folder or address of manifests with a CustomResourceDefinition of apiextensions.k8s.io/v1",
    });
  }
}

/** Is thrown when a CustomResourceDefinition lacks what an import needs, or is of a version that servers no longer have. */
export class InvalidCrdError extends ScaffoldError {
  readonly code = "IMPORT_INVALID_CRD";
}

/** Is thrown when names of CustomResourceDefinitions break the rules of API servers, after the places were printed. */
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

/** Is thrown when a kind has a name that no TypeScript type can have. */
export class KindNameError extends ScaffoldError {
  readonly code = "IMPORT_KIND_NAME";
  constructor(kind: string, source: string) {
    super(`cannot import the kind ${JSON.stringify(kind)} of ${source}: it is no name of a TypeScript type`, {
      hint: "leave it out with --kind and the names of the other kinds",
    });
  }
}

/** Is thrown when a folder that kinds are to be written to holds another group already. */
export class FolderTakenError extends ScaffoldError {
  readonly code = "IMPORT_FOLDER_TAKEN";
  constructor(options: { readonly folder: string; readonly holds: string; readonly group: string }) {
    super(`cannot write ${options.group} into ${options.folder}: the folder holds the group ${options.holds}`, {
      hint: "choose another folder with --output-dir; nothing was written",
    });
  }
}
