import { ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

/** Is thrown when an object that already has a controller is given another. */
export class AlreadyOwnedError extends ScaffoldError {
  readonly code = "CONTROLLER_ALREADY_OWNED";
  readonly object: KubernetesObject;
  readonly owner: OwnerReference;

  constructor(object: KubernetesObject, owner: OwnerReference) {
    super(`cannot make another controller of ${describeObject(object)}: ${owner.kind} ${owner.name} controls it`, {
      hint: "give the object another name, or let its controller give it up first",
    });
    this.object = object;
    this.owner = owner;
  }
}

/** Is thrown when an owner cannot own an object because of their namespaces. */
export class InvalidOwnerError extends ScaffoldError {
  readonly code = "CONTROLLER_INVALID_OWNER";

  constructor(
    { owner, object }: { readonly owner: KubernetesObject; readonly object: KubernetesObject },
    reason: string,
  ) {
    super(`${describeObject(owner)} cannot own ${describeObject(object)}: ${reason}`, {
      hint: "clean such objects up with a finalizer in place of an owner reference",
    });
  }
}

/** Is thrown when an owner reference that shall be removed is not there. */
export class NotOwnedError extends ScaffoldError {
  readonly code = "CONTROLLER_NOT_OWNED";

  constructor(
    { owner, object }: { readonly owner: KubernetesObject; readonly object: KubernetesObject },
    role: string,
  ) {
    super(`${describeObject(owner)} is not ${role} of ${describeObject(object)}`);
  }
}

/** Is thrown when a `mutate` callback gives an object another name or namespace. */
export class ObjectRenamedError extends ScaffoldError {
  readonly code = "CONTROLLER_OBJECT_RENAMED";

  constructor(object: KubernetesObject, to: KubernetesObject) {
    super(`cannot turn ${describeObject(object)} into ${describeObject(to)}: mutate may not change name or namespace`);
  }
}

/** Names an object for a message. */
export function describeObject({ kind, metadata }: KubernetesObject): string {
  const { namespace = "", name = "" } = metadata;
  return namespace === "" ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}
