import {
  type ApiObject,
  type InternalClient,
  keyOf,
  type ServerContext,
  type StoreEvent,
  storedSelectorMatcher,
} from "@kubescaffold/apiserver/cluster-api";
import { isInvalid, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject, LabelSelector } from "@kubescaffold/k8s/meta/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { controllerOf, controllerReference, PODS } from "./workload-objects.ts";

const STRATEGIC = "application/strategic-merge-patch+json";

/** Where objects of a kind are stored and served. */
interface Resource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

/** An owner, and the kind of objects that it controls. */
interface Ownership {
  readonly owner: KubernetesObject;
  /** The resource of the owner. */
  readonly ownedBy: Resource;
  readonly selector: LabelSelector | undefined;
}

/** Which objects belong to an owner. */
interface Membership<T> extends Ownership {
  readonly resource: Resource;
  /** Default: what the selector chooses. */
  readonly isMember?: (object: T) => boolean;
  /** Added to adopted objects, and removed from released ones. */
  readonly finalizers?: readonly string[];
}

/** Returns the pods of an owner. See {@link claimObjects}. */
export async function claimPods(
  context: ServerContext,
  client: InternalClient,
  membership: Omit<Membership<Pod>, "resource">,
): Promise<readonly Pod[]> {
  return await claimObjects<Pod>(context, client, { resource: PODS, ...membership });
}

/**
 * Returns the objects of an owner: adopts those that match and have no controller, and releases those that no longer match.
 *
 * Guarantees: an owner that is being deleted, or was replaced, adopts and releases nothing. The first failure is thrown after all objects were tried.
 */
export async function claimObjects<T extends KubernetesObject>(
  { objects }: ServerContext,
  client: InternalClient,
  membership: Membership<T>,
): Promise<readonly T[]> {
  const { owner, ownedBy, resource, selector, isMember = () => true } = membership;
  // The owner may have been deleted since it was read.
  const isAlive = (): boolean => {
    const { uid, deletionTimestamp } = objects.get(ownedBy, objectKey(owner))?.metadata ?? {};
    return uid === owner.metadata.uid && deletionTimestamp === undefined;
  };
  const hasLabels = storedSelectorMatcher(selector);
  const isChosen = (object: T): boolean => hasLabels(object.metadata.labels);
  const claimed: T[] = [];
  let failure: unknown;
  for (const object of objects.list(resource, owner.metadata.namespace) as unknown as readonly T[]) {
    const controller = controllerOf(object);
    if (controller !== undefined && controller.uid !== owner.metadata.uid) continue;
    const belongs = isChosen(object) && isMember(object);
    if (controller !== undefined && belongs) {
      claimed.push(object);
      continue;
    }
    const isAdoptable = belongs && object.metadata.deletionTimestamp === undefined;
    if ((controller === undefined && !isAdoptable) || !isAlive()) continue;
    try {
      if (controller === undefined) claimed.push(...(await adopt(client, membership, object)));
      else await release(client, membership, object);
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
  return claimed;
}

// Returns the adopted object, or nothing if it no longer exists.
async function adopt<T extends KubernetesObject>(
  client: InternalClient,
  { owner, resource, finalizers }: Membership<T>,
  object: T,
): Promise<readonly T[]> {
  const { uid } = object.metadata;
  const added = finalizers === undefined ? {} : { finalizers };
  const body = { metadata: { uid, ownerReferences: [controllerReference(owner)], ...added } };
  try {
    const adopted = await client.patch({ ...resource, ...objectKey(object) }, { contentType: STRATEGIC, body });
    return [adopted as unknown as T];
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return [];
  }
}

async function release<T extends KubernetesObject>(
  client: InternalClient,
  { owner, resource, finalizers }: Membership<T>,
  object: T,
): Promise<void> {
  const removed = finalizers === undefined ? {} : { "$deleteFromPrimitiveList/finalizers": finalizers };
  const ownerReferences = [{ $patch: "delete", uid: owner.metadata.uid }];
  const body = { metadata: { uid: object.metadata.uid, ownerReferences, ...removed } };
  try {
    await client.patch({ ...resource, ...objectKey(object) }, { contentType: STRATEGIC, body });
  } catch (error) {
    // Invalid if it was replaced, or has no owner any more.
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}

/** A kind whose objects control others. */
interface ControllingKind {
  readonly kind: string;
  readonly resource: Resource;
  readonly selectorOf: (owner: ApiObject) => LabelSelector | undefined;
}

/** Returns the keys of the owners that a change of an object concerns: its present and its former controller, and those that may adopt it. */
export function ownerKeys(
  { objects }: ServerContext,
  { object, previous, kind: change }: StoreEvent,
  { kind, resource, selectorOf }: ControllingKind,
): readonly string[] {
  const namespace = object.metadata.namespace ?? "";
  const owners = [controllerOf(object), previous === undefined ? undefined : controllerOf(previous)];
  const keys = owners.flatMap((owner) => (owner?.kind === kind ? [keyOf({ namespace, name: owner.name })] : []));
  if (owners[0] !== undefined || change === "deleted") return keys;
  const isSame = owners[1] === undefined && deepEqual(previous?.metadata.labels, object.metadata.labels);
  if (previous !== undefined && isSame) return keys;
  const adopters = objects
    .list(resource, namespace)
    .filter((owner) => storedSelectorMatcher(selectorOf(owner))(object.metadata.labels));
  return [...keys, ...adopters.map((owner) => keyOf(objectKey(owner)))];
}
