import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when a schema refers to another one by `$ref`, and the resolver that was passed does not know it.
 *
 * Fix: Pass a resolver that knows all schemas of the document, such as `builtInSchema` of `@kubescaffold/k8s/tables`.
 */
export class UnresolvedReferenceError extends ScaffoldError {
  readonly code = "SCHEMA_REF_UNRESOLVED";

  constructor(ref: string) {
    super(`cannot resolve the schema reference ${ref}`, {
      hint: "pass a resolver that knows the schemas of the document",
    });
  }
}

/**
 * Thrown when a patch is not what its type says: a JSON patch that is no list of operations, a merge patch that is no object, a malformed
 * directive of a strategic merge patch.
 *
 * Fix: Correct the patch; the message says what is wrong with it, in the words of an API server that answers 400.
 */
export class InvalidPatchError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_INVALID";
}

/**
 * Thrown when a sound patch does not fit the object: a `test` failed, a path leads nowhere, a list of lists would have to be merged.
 *
 * Fix: Read the object again and make the patch for what it is now.
 */
export class PatchNotApplicableError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_NOT_APPLICABLE";
}

/**
 * Thrown when a JSON patch has more than 10000 operations.
 *
 * Fix: Split the patch, or use a merge patch.
 */
export class PatchTooLargeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TOO_LARGE";
}

/**
 * Thrown when a strategic merge patch does not fit the type of the object: a field that the type does not have, an item without its merge
 * key, items of different types.
 *
 * Fix: Correct the patch; for custom resources, which no strategic merge patch fits, use a merge patch.
 */
export class PatchTypeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TYPE";
}

/**
 * Thrown when a generated schema refers to a struct of the Kubernetes API that the installed `@kubescaffold/k8s` does not have.
 *
 * Fix: Run `npm run generate` again, so that the file and the package agree.
 */
export class UnknownStructError extends ScaffoldError {
  readonly code = "SCHEMA_STRUCT_UNKNOWN";

  constructor(name: string) {
    super(`there is no schema of the struct ${name}`, {
      hint: "run `scaffold generate` again with the version of @kubescaffold/k8s that is installed",
    });
  }
}
