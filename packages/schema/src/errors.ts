import { ScaffoldError } from "@kubescaffold/k8s";

/** Thrown when a schema refers to another that its resolver does not know. */
export class UnresolvedReferenceError extends ScaffoldError {
  readonly code = "SCHEMA_REF_UNRESOLVED";

  constructor(ref: string) {
    super(`cannot resolve the schema reference ${ref}`, {
      hint: "pass a resolver that knows the schemas of the document",
    });
  }
}

/** Thrown when a patch is not a patch at all; a server answers 400 with this message. */
export class InvalidPatchError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_INVALID";
}

/** Thrown when a sound patch does not fit the object, a failed `test` included; a server answers 422 with this message. */
export class PatchNotApplicableError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_NOT_APPLICABLE";
}

/** Thrown when a JSON patch has more operations than a server takes; a server answers 413 with this message. */
export class PatchTooLargeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TOO_LARGE";
}

/** Thrown when a strategic merge patch does not fit the type of the object; a server answers 500 with this message. */
export class PatchTypeError extends ScaffoldError {
  readonly code = "SCHEMA_PATCH_TYPE";
}

/** Thrown when a schema refers to a struct of the Kubernetes API that `@kubescaffold/k8s` does not know. */
export class UnknownStructError extends ScaffoldError {
  readonly code = "SCHEMA_STRUCT_UNKNOWN";

  constructor(name: string) {
    super(`there is no schema of the struct ${name}`, {
      hint: "run `scaffold generate` again with the version of @kubescaffold/k8s that is installed",
    });
  }
}
