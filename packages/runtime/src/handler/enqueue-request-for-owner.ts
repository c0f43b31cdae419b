import { parseApiVersion, type GroupVersionKind } from "@kubescaffold/k8s";
import type { KubernetesObject, OwnerReference } from "@kubescaffold/k8s/meta/v1";

import type { RestMapper } from "../discovery/rest-mapper.ts";
import type { EventContext } from "../event/event.ts";
import type { Request } from "../reconcile/reconcile.ts";
import { enqueueRequestsFromMapFunc } from "./enqueue-requests-from-map-func.ts";
import type { EventHandler } from "./event-handler.ts";

/** How owners are found. */
export interface OwnerOptions {
  /** Says whether owners live in namespaces. */
  readonly restMapper: RestMapper;
  /** Takes the controlling owner alone. */
  readonly onlyControllerOwner?: boolean;
}

/**
 * Creates a handler that asks for the owners of an object to be reconciled; of an update, those of the old and the new one.
 *
 * Guarantees: owners count by group and kind, whatever version the reference names; a cluster-scoped owner's request has no namespace.
 */
export function enqueueRequestForOwner<T extends KubernetesObject = KubernetesObject>(
  owner: GroupVersionKind,
  options: OwnerOptions,
): EventHandler<T> {
  let isNamespaced: boolean | undefined;
  const findScope = async (context: EventContext): Promise<boolean | undefined> => {
    try {
      isNamespaced = (await options.restMapper.restMapping(owner)).scope === "namespaced";
    } catch (error) {
      context.log.error(error, "cannot find out whether the owner lives in a namespace", { owner: owner.kind });
    }
    return isNamespaced;
  };
  return enqueueRequestsFromMapFunc((object, context) => {
    const owners = ownersOf(object, owner, options);
    if (owners.length === 0) {
      return [];
    }
    return isNamespaced === undefined
      ? findScope(context).then((scope) => (scope === undefined ? [] : requestsFor(object, owners, scope)))
      : requestsFor(object, owners, isNamespaced);
  });
}

function ownersOf(object: KubernetesObject, owner: GroupVersionKind, options: OwnerOptions): readonly OwnerReference[] {
  return (object.metadata.ownerReferences ?? []).filter(
    (reference) =>
      reference.kind === owner.kind &&
      parseApiVersion(reference.apiVersion).group === owner.group &&
      (options.onlyControllerOwner !== true || reference.controller === true),
  );
}

function requestsFor(
  object: KubernetesObject,
  owners: readonly OwnerReference[],
  isNamespaced: boolean,
): readonly Request[] {
  const namespace = isNamespaced ? (object.metadata.namespace ?? "") : "";
  return owners.map(({ name }) => ({ namespace, name }));
}
