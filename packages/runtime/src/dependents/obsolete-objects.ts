import { type DeepReadonly, ignoreNotFound, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Client, KindRef } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import type { DependentOrder, Ordered } from "./dependent-order.ts";
import { DEPENDENT_ANNOTATION } from "./desired-object.ts";

type AnyObject = DeepReadonly<Stored<KubernetesObject>>;

/** A dependent of an owner after the desired objects were applied. */
interface Evaluated extends Ordered {
  readonly kind: KindRef<KubernetesObject>;
  /** Whether it waits, so that its desired object is not known yet. */
  readonly isWaiting: boolean;
  /** The UID of its object; undefined if there is none. */
  readonly uid: string | undefined;
}

/** The dependents of an owner, and how their objects are found. */
export interface ObsoleteObjects {
  readonly client: Client;
  readonly fieldOwner: string;
  readonly order: DependentOrder<Ordered>;
  readonly dependents: readonly Evaluated[];
  /** The UID of the owner. */
  readonly ownerUid: string | undefined;
  /** Lists the objects of a kind, at least those that the owner controls. */
  readonly list: (kind: KindRef<KubernetesObject>) => Promise<readonly AnyObject[]>;
}

/**
 * Deletes the objects that are no longer desired, in reverse order.
 *
 * Guarantees: only objects that the owner controls, and that were written for a dependent, are deleted, also if the cache is stale. An object is kept while a
 * dependent that depends on it waits, or still has such objects.
 */
export async function deleteObsolete(scope: ObsoleteObjects): Promise<void> {
  const obsolete = await findObsolete(scope);
  const unfinished = new Set(scope.dependents.filter(({ isWaiting }) => isWaiting).map(({ name }) => name));
  obsolete.forEach((_, name) => unfinished.add(name));
  const ordered = [...scope.order.dependents].toReversed().map(({ name }) => name);
  // Names that the controller no longer has come first: nothing depends on them.
  for (const name of [...[...obsolete.keys()].filter((each) => !ordered.includes(each)), ...ordered]) {
    const isNeeded = [...unfinished].some((other) => scope.order.dependencies.get(other)?.has(name) === true);
    if (!isNeeded) {
      for (const object of obsolete.get(name) ?? []) {
        await deleteUnchanged(scope.client, object);
      }
    }
  }
}

/** Returns the objects that are no longer desired by the names of their dependents. */
async function findObsolete(scope: ObsoleteObjects): Promise<ReadonlyMap<string, readonly AnyObject[]>> {
  const kinds = new Map(scope.dependents.map(({ kind }) => [`${kind.group}/${kind.kind}`, kind]));
  const found = new Map<string, AnyObject[]>();
  for (const kind of kinds.values()) {
    for (const listed of await scope.list(kind)) {
      if (obsoleteDependent(listed, scope) === undefined) {
        continue;
      }
      // A list may lack own writes; a read of the object waits for them.
      const object = await ignoreNotFound(scope.client.get<KubernetesObject>(kind, objectKey(listed)));
      const name = object === undefined ? undefined : obsoleteDependent(object, scope);
      if (object !== undefined && name !== undefined) {
        found.set(name, [...(found.get(name) ?? []), object]);
      }
    }
  }
  return found;
}

/** Returns the dependent for which an object was written, if it is no longer desired. */
function obsoleteDependent(object: AnyObject, scope: ObsoleteObjects): string | undefined {
  const [manager, name] = (object.metadata.annotations?.[DEPENDENT_ANNOTATION] ?? "").split("/");
  const isControlled = scope.ownerUid !== undefined && controllerUidOf(object) === scope.ownerUid;
  return manager === scope.fieldOwner &&
    name !== undefined &&
    isControlled &&
    !isDesired(object, scope.dependents, name)
    ? name
    : undefined;
}

/** Returns the UID of the owner that controls an object. */
export function controllerUidOf({ metadata }: DeepReadonly<KubernetesObject>): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

// Another dependent may have taken the object over, and a stale cache still has the annotation of the former one.
function isDesired({ metadata }: AnyObject, dependents: readonly Evaluated[], name: string): boolean {
  const isWaiting = dependents.some((each) => each.name === name && each.isWaiting);
  return isWaiting || dependents.some(({ uid }) => uid !== undefined && uid === metadata.uid);
}

async function deleteUnchanged(client: Client, object: AnyObject): Promise<void> {
  const { uid, resourceVersion, deletionTimestamp } = object.metadata;
  if (deletionTimestamp !== undefined) {
    return;
  }
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  // Jobs would orphan their Pods by default.
  await ignoreNotFound(client.delete(object, { preconditions, propagationPolicy: "Background" }));
}
