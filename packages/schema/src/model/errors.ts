import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Thrown when the resolver does not know the target of a `$ref` in a schema.
 *
 * Fix: Pass a resolver for all schemas of the document, such as `builtInSchema` from `@kubescaffold/k8s/tables`.
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
 * Thrown when a patch is malformed: a JSON patch that is not a list of operations, a merge patch that is not an object, or an invalid directive in a strategic
 * merge patch.
 *
 * Fix: Fix the patch; the message is that of an API server, which responds with 400.
 */
export class InvalidPatchError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_INVALID";
}

/**
 * Thrown when a valid patch cannot be applied to the object: a `test` failed, a path does not exist, or lists of lists would be merged.
 *
 * Fix: Read the object again and create a new patch.
 */
export class PatchNotApplicableError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_NOT_APPLICABLE";
}

/**
 * Thrown when a JSON patch has more operations than are allowed, 10000 unless the caller states another limit.
 *
 * Fix: Split the patch, or use a merge patch.
 */
export class PatchTooLargeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TOO_LARGE";
}

/**
 * Thrown when a strategic merge patch does not match the type of the object: an unknown field, an item without its merge key, or items of different types.
 *
 * Fix: Fix the patch; for custom resources, use a merge patch.
 */
export class PatchTypeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TYPE";
}

/**
 * Thrown when a generated schema refers to a struct of the Kubernetes API that the installed `@kubescaffold/k8s` does not have.
 *
 * Fix: Run `npm run generate` again, so that the file matches the package.
 */
export class UnknownStructError extends ScaffoldError {
  readonly code = "SCHEMA_STRUCT_UNKNOWN";

  constructor(name: string) {
    super(`cannot find the schema of the struct ${name}`, {
      hint: "run `npx scaffold generate` again with the version of @kubescaffold/k8s that is installed",
    });
  }
}
