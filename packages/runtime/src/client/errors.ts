import { ScaffoldError } from "@kubescaffold/k8s";
import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Thrown when a call for one object has no name.
 *
 * Fix: Set `metadata.name`, or `name` in the key.
 */
export class MissingNameError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_NAME";

  constructor(verb: string, kind: string) {
    super(`cannot ${verb} a ${kind} without a name`);
  }
}

/**
 * Thrown when a call for a namespaced object has no namespace.
 *
 * Fix: Set `metadata.namespace`, or `namespace` in the key or options.
 */
export class MissingNamespaceError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_NAMESPACE";

  constructor(verb: string, { kind, name }: { readonly kind: string; readonly name: string }) {
    super(`cannot ${verb} ${kind}${name === "" ? "" : ` ${name}`} without a namespace`, {
      hint: "set metadata.namespace, or namespace of the key or options",
    });
  }
}

/**
 * Thrown when an object has no `apiVersion` or `kind`.
 *
 * Fix: Create objects with `create()` of their kind.
 */
export class MissingKindError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_KIND";

  constructor(verb: string) {
    super(`cannot ${verb} an object without apiVersion and kind`, {
      hint: "create objects with create() of their kind, which sets both",
    });
  }
}

/**
 * Thrown when an object that was read with `metadataOnly` is created or updated, which would erase all of its other fields.
 *
 * Fix: Use `patch`, or read the whole object.
 */
export class PartialObjectError extends ScaffoldError {
  readonly code = "CLIENT_PARTIAL_OBJECT";

  constructor(verb: string, { kind, metadata }: ReadonlyObject) {
    super(
      `cannot ${verb} ${kind} ${metadata?.name ?? ""}: it was read with metadataOnly, and all of its other fields would be erased`,
      { hint: "use patch, or read the whole object" },
    );
  }
}

/**
 * Thrown when an apply has no field owner.
 *
 * Fix: Pass `fieldOwner`, or create the client with one.
 */
export class MissingFieldOwnerError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_FIELD_OWNER";

  constructor(object: string) {
    super(`cannot apply ${object} without a field owner`, {
      hint: "pass fieldOwner, or create the client with one",
    });
  }
}

/**
 * Thrown when a patch with optimistic locking was created from an object without a resourceVersion.
 *
 * Fix: Create it from an object that was read from the API server.
 */
export class MissingResourceVersionError extends ScaffoldError {
  readonly code = "CLIENT_MISSING_RESOURCE_VERSION";

  constructor(object: string) {
    super(`cannot lock the patch of ${object}: the original has no resourceVersion`, {
      hint: "create the patch from an object that was read from the server",
    });
  }
}

/**
 * Thrown when a client for one namespace was called for another.
 *
 * Fix: Use a client without a namespace, or one for that namespace.
 */
export class NamespaceMismatchError extends ScaffoldError {
  readonly code = "CLIENT_NAMESPACE_MISMATCH";

  constructor(object: string, { wanted, allowed }: { readonly wanted: string; readonly allowed: string }) {
    super(`cannot use namespace ${wanted} for ${object}: the client is for namespace ${allowed}`);
  }
}

/**
 * Thrown when a strategic merge patch was created for a kind that is not built in.
 *
 * Fix: Use `patch.mergeFrom`, or `client.apply`.
 */
export class NoPatchSchemaError extends ScaffoldError {
  readonly code = "CLIENT_NO_PATCH_SCHEMA";

  constructor(kind: string) {
    super(`cannot create a strategic merge patch for ${kind}: only built-in kinds support it`, {
      hint: "use mergeFrom, or client.apply",
    });
  }
}

/**
 * Thrown when a client with `readYourWrites` reads from something that has no informers.
 *
 * Fix: Pass a cache from `createCache` as the reader, or leave `readYourWrites` out.
 */
export class ReadYourWritesError extends ScaffoldError {
  readonly code = "CLIENT_READ_YOUR_WRITES";

  constructor() {
    super("cannot wait until the reader contains the client's writes: the reader has no informers", {
      hint: "pass a cache from createCache as the reader, or leave readYourWrites out",
    });
  }
}
