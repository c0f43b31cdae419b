import { ScaffoldError } from "@kubescaffold/k8s";

/** Is thrown before a call that needs the name of an object and has none. */
export class MissingNameError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_NAME";

  constructor(verb: string, kind: string) {
    super(`cannot ${verb} a ${kind} without a name`);
  }
}

/** Is thrown before a call about an object in a namespace that does not say which namespace. */
export class MissingNamespaceError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_NAMESPACE";

  constructor(verb: string, { kind, name }: { readonly kind: string; readonly name: string }) {
    super(`cannot ${verb} ${kind}${name === "" ? "" : ` ${name}`} without a namespace`, {
      hint: "set metadata.namespace, or namespace of the key or options",
    });
  }
}

/** Is thrown when an object does not say what it is. */
export class MissingKindError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_KIND";

  constructor(verb: string) {
    super(`cannot ${verb} an object without apiVersion and kind`, {
      hint: "make objects with create() of their kind, which fills both in",
    });
  }
}

/** Is thrown before an apply that does not say who owns the fields. */
export class MissingFieldOwnerError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_FIELD_OWNER";

  constructor(object: string) {
    super(`cannot apply ${object} without a field owner`, {
      hint: "pass fieldOwner, or make the client with one",
    });
  }
}

/** Is thrown when a patch with optimistic lock is made from an object without a resourceVersion. */
export class MissingResourceVersionError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_RESOURCE_VERSION";

  constructor(object: string) {
    super(`cannot lock the patch of ${object}: the original has no resourceVersion`, {
      hint: "make the patch from an object that was read from the server",
    });
  }
}

/** Is thrown when a client for one namespace is asked about another. */
export class NamespaceMismatchError extends ScaffoldError {
  readonly code = "CLIENT_NAMESPACE_MISMATCH";

  constructor(object: string, { wanted, allowed }: { readonly wanted: string; readonly allowed: string }) {
    super(`cannot use namespace ${wanted} for ${object}: the client is for namespace ${allowed}`);
  }
}

/** Is thrown when a strategic merge patch is made for a kind that has no rules for one. */
export class NoPatchSchemaError extends ScaffoldError {
  readonly code = "CLIENT_NO_PATCH_SCHEMA";

  constructor(kind: string) {
    super(`cannot make a strategic merge patch for ${kind}: only built-in kinds have rules for it`, {
      hint: "use mergeFrom, or client.apply",
    });
  }
}
