import { ScaffoldError } from "@kubescaffold/k8s";
import type { ReadonlyObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

/**
 * Thrown when a controller reference was set on an object that another controller owns.
 *
 * Fix: Use another name for the object, or remove its controller reference first.
 *
 * controller-runtime: pkg/controller/controllerutil.AlreadyOwnedError
 */
export class AlreadyOwnedError extends ScaffoldError {
  readonly code = "CONTROLLER_ALREADY_OWNED";
  readonly object: ReadonlyObject;
  readonly owner: OwnerReference;

  constructor(object: ReadonlyObject, owner: OwnerReference) {
    super(
      `cannot set the controller reference of ${describeObject(object)}: ${owner.kind} ${owner.name} already controls it`,
      {
        hint: "use another name for the object, or remove the reference of its controller first",
      },
    );
    this.object = object;
    this.owner = owner;
  }
}

/**
 * Thrown when an owner and its object are in different namespaces, or only the owner is namespaced.
 *
 * Fix: Clean up such objects with a finalizer instead of an owner reference.
 */
export class InvalidOwnerError extends ScaffoldError {
  readonly code = "CONTROLLER_INVALID_OWNER";

  constructor({ owner, object }: { readonly owner: ReadonlyObject; readonly object: ReadonlyObject }, reason: string) {
    super(`${describeObject(owner)} cannot own ${describeObject(object)}: ${reason}`, {
      hint: "delete such objects in a finalizer instead of setting an owner reference",
    });
  }
}

/**
 * Thrown when an owner reference to remove does not exist.
 *
 * Fix: Check with `hasOwnerReference` or `hasControllerReference` first.
 */
export class NotOwnedError extends ScaffoldError {
  readonly code = "CONTROLLER_NOT_OWNED";

  constructor({ owner, object }: { readonly owner: ReadonlyObject; readonly object: ReadonlyObject }, role: string) {
    super(`${describeObject(owner)} is not ${role} of ${describeObject(object)}`);
  }
}

/**
 * Thrown when `mutate` of `createOrUpdate` or `createOrPatch` changed the name or namespace.
 *
 * Fix: Keep both; use a separate call for another object.
 */
export class ObjectRenamedError extends ScaffoldError {
  readonly code = "CONTROLLER_OBJECT_RENAMED";

  constructor(object: ReadonlyObject, to: ReadonlyObject) {
    super(
      `cannot change ${describeObject(object)} to ${describeObject(to)}: mutate must not change the name or namespace`,
    );
  }
}

/** Returns the kind, namespace, and name of an object for a message. */
export function describeObject({ kind, metadata }: ReadonlyObject): string {
  const { namespace = "", name = "" } = metadata;
  return namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
