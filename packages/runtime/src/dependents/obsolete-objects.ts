import { type DeepReadonly, ignoreNotFound, objectKey } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { addToList } from "@kubescaffold/platform";

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

/** An object that was written for a dependent. */
interface WrittenObject {
  readonly kind: KindRef<KubernetesObject>;
  readonly object: AnyObject;
}

/** The objects that an owner controls by the names of the dependents that they were written for, the oldest first. */
export type WrittenObjects = ReadonlyMap<string, readonly WrittenObject[]>;

/** The objects of an owner that a controller wrote. */
interface WrittenBy {
  readonly fieldOwner: string;
  /** The UID of the owner. */
  readonly ownerUid: string;
}

/** Finds the objects of kinds that an owner controls and that were written for dependents. */
export async function findWritten(
  by: WrittenBy,
  kinds: Iterable<KindRef<KubernetesObject>>,
  list: (kind: KindRef<KubernetesObject>) => Promise<readonly AnyObject[]>,
): Promise<WrittenObjects> {
  const found = new Map<string, WrittenObject[]>();
  for (const kind of new Map([...kinds].map((each) => [`${each.group}/${each.kind}`, each])).values()) {
    const objects = [...(await list(kind))];
    for (const object of objects.toSorted(byAge)) {
      const name = dependentOf(object, by);
      if (name !== undefined) {
        addToList(found, name, { kind, object });
      }
    }
  }
  return found;
}

function byAge(left: AnyObject, right: AnyObject): number {
  const [one, other] = [left, right].map(({ metadata }) => metadata.creationTimestamp ?? "");
  return (one ?? "") < (other ?? "") ? -1 : Number(one !== other);
}

/** Returns the name of the dependent for which an object of the owner was written. */
function dependentOf(object: AnyObject, { fieldOwner, ownerUid }: WrittenBy): string | undefined {
  const annotation = object.metadata.annotations?.[DEPENDENT_ANNOTATION] ?? "";
  // The name of a field manager may have slashes.
  const slash = annotation.lastIndexOf("/");
  const isWritten = annotation.slice(0, slash) === fieldOwner && controllerUidOf(object) === ownerUid;
  return isWritten ? annotation.slice(slash + 1) : undefined;
}

/** Returns the UID of the owner that controls an object. */
export function controllerUidOf({ metadata }: DeepReadonly<KubernetesObject>): string | undefined {
  return metadata.ownerReferences?.find(({ controller }) => controller === true)?.uid;
}

/** The dependents of an owner, and the objects that were written for them before. */
export interface ObsoleteObjects extends WrittenBy {
  readonly client: Client;
  readonly order: DependentOrder<Ordered>;
  readonly dependents: readonly Evaluated[];
  readonly written: WrittenObjects;
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
  const found = new Map<string, AnyObject[]>();
  const listed = [...scope.written].flatMap(([name, objects]) => objects.map((each) => ({ ...each, name })));
  for (const { kind, object: former, name: formerName } of listed) {
    if (isDesired(former, scope.dependents, formerName)) {
      continue;
    }
    // A list may lack own writes; a read of the object waits for them.
    const object = await ignoreNotFound(scope.client.get<KubernetesObject>(kind, objectKey(former)));
    const name = object === undefined ? undefined : dependentOf(object, scope);
    if (object !== undefined && name !== undefined && !isDesired(object, scope.dependents, name)) {
      addToList(found, name, object);
    }
  }
  return found;
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
  const preconditions = { uid, resourceVersion };
  // Jobs would orphan their Pods by default.
  await ignoreNotFound(client.delete(object, { preconditions, propagationPolicy: "Background" }));
}
