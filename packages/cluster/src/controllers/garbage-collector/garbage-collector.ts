import {
  type ApiObject,
  type Controller,
  type ControllerIdentity,
  defineController,
  EVENT_RULE,
  FOREGROUND_FINALIZER,
  type InProcessController,
  type InternalClient,
  type ObjectTarget,
  ORPHAN_FINALIZER,
  type ServedResource,
  type ServerContext,
  storeController,
  storedResources,
  type StoreEvent,
  targetOf,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, parseApiVersion, type GroupResource } from "@kubescaffold/k8s";
import type { OwnerReference } from "@kubescaffold/k8s/meta/v1";

import { eventWriter, type EventWriter } from "../workload/event-writer.ts";
import { concernsCollector, type GraphNode, nodeKey, OwnershipGraph, parseNodeKey } from "./ownership-graph.ts";

/**
 * Deletes objects whose owners are gone, and takes owners through foreground and orphaning deletion.
 *
 * Guarantees: an object with one living owner stays and only loses its references to the others; nothing is deleted on account of an owner whose kind is unknown.
 */
export const GARBAGE_COLLECTOR: Controller = defineController({
  name: "generic-garbage-collector",
  rules: [
    { apiGroups: ["*"], resources: ["*"], verbs: ["delete", "get", "list", "patch", "update", "watch"] },
    EVENT_RULE,
  ],
  create: createController,
});

function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const graph = new OwnershipGraph();
  const events = eventWriter(context, self.user, "garbage-collector-controller");
  const collector: Collector = { context, client, graph, events, unverified: new Set() };
  return storeController({
    name: self.name,
    context,
    keysOf: (event) => {
      const node = graph.apply(event);
      if (hasNewOwners(event)) collector.unverified.add(nodeKey(node));
      const affected = isOwnerEvent(event.kind, event.object)
        ? graph.dependentsOf(event.object.metadata.uid ?? "")
        : [];
      const owners = waitingOwners(collector, releasedBy(event));
      const own = event.kind !== "deleted" && concernsCollector(event.object) ? [node] : [];
      return [...own, ...affected, ...owners].map((each) => nodeKey(each));
    },
    initialKeys: () => graph.load(context).map(nodeKey),
    work: async (key) => await collect(collector, parseNodeKey(key)),
  });
}

interface Collector {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly graph: OwnershipGraph;
  readonly events: EventWriter;
  /** The objects whose owners are new, by their keys. */
  readonly unverified: Set<string>;
}

function isOwnerEvent(kind: "added" | "modified" | "deleted", object: ApiObject): boolean {
  return kind === "deleted" || waitsForDependents(object);
}

function hasNewOwners({ kind, object, previous }: StoreEvent): boolean {
  const before = new Set(previous?.metadata.ownerReferences?.map(({ uid }) => uid));
  return kind !== "deleted" && (object.metadata.ownerReferences ?? []).some(({ uid }) => !before.has(uid));
}

// The object as it was before a change of its owners: it may have blocked those that it no longer names.
function releasedBy({ kind, object, previous }: StoreEvent): ApiObject | undefined {
  if (kind === "deleted") return object;
  return object.metadata.ownerReferences === previous?.metadata.ownerReferences ? undefined : previous;
}

// Owners in foreground deletion that may go now that one of their dependents is gone, or no longer blocks them.
function waitingOwners({ context }: Collector, dependent: ApiObject | undefined): readonly GraphNode[] {
  if (dependent === undefined) return [];
  return (dependent.metadata.ownerReferences ?? []).flatMap((reference) => {
    const found = findOwner(context, dependent, reference);
    if (found?.object === undefined || !waitsForDependents(found.object)) return [];
    return [{ groupResource: found.groupResource, namespace: found.namespace, name: reference.name }];
  });
}

async function collect(collector: Collector, node: GraphNode): Promise<void> {
  const object = collector.context.objects.get(node.groupResource, node);
  if (collector.unverified.delete(nodeKey(node)) && object !== undefined) await reportForeignOwner(collector, object);
  const resource = storedResources(collector.context, ["delete"]).find(
    ({ storedAs }) => storedAs.group === node.groupResource.group && storedAs.resource === node.groupResource.resource,
  );
  if (object === undefined || resource === undefined) return;
  try {
    if (object.metadata.deletionTimestamp === undefined) await collectUnowned(collector, resource, object);
    else await finishDeletion(collector, resource, object);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

// Like upstream, reports the first owner alone that is in another namespace.
async function reportForeignOwner({ context, events }: Collector, object: ApiObject): Promise<void> {
  const { namespace = "" } = object.metadata;
  const foreign = (object.metadata.ownerReferences ?? []).find((reference) => {
    if (findOwner(context, object, reference)?.object?.metadata.uid === reference.uid) return false;
    const owner = ownerByUid(context, reference);
    return owner?.metadata.namespace !== undefined && owner.metadata.namespace !== namespace;
  });
  if (foreign === undefined) return;
  const { apiVersion, kind } = foreign;
  const owner = `[${apiVersion}/${kind}, namespace: ${namespace}, name: ${foreign.name}, uid: ${foreign.uid}]`;
  const message = `ownerRef ${owner} does not exist in namespace "${namespace}"`;
  const { resourceVersion: _resourceVersion, ...metadata } = object.metadata;
  await events.write({ ...object, metadata }, { type: "Warning", reason: "OwnerRefInvalidNamespace", message });
}

function ownerByUid(context: ServerContext, reference: OwnerReference): ApiObject | undefined {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const { kind } = reference;
  const resource =
    context.resources.findByKind({ group, version, kind }) ?? context.resources.preferred({ group, kind });
  if (resource === undefined || !resource.isNamespaced) return undefined;
  return context.objects.list(resource.storedAs).find(({ metadata }) => metadata.uid === reference.uid);
}

async function collectUnowned(collector: Collector, resource: ServedResource, object: ApiObject): Promise<void> {
  const owners = classifyOwners(collector.context, object);
  if (owners.unknown.length > 0) return;
  const target = targetOf(resource, object);
  if (owners.solid.length > 0) {
    const gone = [...owners.dangling, ...owners.waiting];
    if (gone.length > 0) await dropReferences(collector.client, { target, object, gone });
    return;
  }
  if (owners.dangling.length + owners.waiting.length === 0) return;
  const dependents = owners.waiting.length === 0 ? [] : collector.graph.dependentsOf(object.metadata.uid ?? "");
  // In a circle of owners, each waits for the next one: this one no longer blocks its owner.
  const isInCircle = dependents.some((each) => {
    const dependent = collector.context.objects.get(each.groupResource, each);
    return dependent !== undefined && waitsForDependents(dependent);
  });
  if (isInCircle && (await unblockOwners(collector.client, target, object))) return;
  const propagationPolicy = dependents.length > 0 ? "Foreground" : policyOf(object);
  await deleteExactly(collector.client, { target, object, propagationPolicy });
}

function policyOf(object: ApiObject): "Foreground" | "Orphan" | "Background" {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN_FINALIZER)) return "Orphan";
  return finalizers.includes(FOREGROUND_FINALIZER) ? "Foreground" : "Background";
}

async function deleteExactly(
  client: InternalClient,
  options: { readonly target: ObjectTarget; readonly object: ApiObject; readonly propagationPolicy: string },
): Promise<void> {
  const { uid, resourceVersion } = options.object.metadata;
  const preconditions = {
    ...(uid === undefined ? {} : { uid }),
    ...(resourceVersion === undefined ? {} : { resourceVersion }),
  };
  try {
    await client.delete(options.target, {
      kind: "DeleteOptions",
      apiVersion: "v1",
      propagationPolicy: options.propagationPolicy,
      preconditions,
    });
  } catch (error) {
    // It has changed since: its own change leads here again.
    if (!isConflict(error)) throw error;
  }
}

async function finishDeletion(collector: Collector, resource: ServedResource, object: ApiObject): Promise<void> {
  const finalizers = object.metadata.finalizers ?? [];
  if (finalizers.includes(ORPHAN_FINALIZER)) {
    await orphanDependents(collector, object);
    await dropFinalizer(collector.client, { target: targetOf(resource, object), object, finalizer: ORPHAN_FINALIZER });
  } else if (finalizers.includes(FOREGROUND_FINALIZER) && !hasBlockingDependents(collector, object)) {
    await dropFinalizer(collector.client, {
      target: targetOf(resource, object),
      object,
      finalizer: FOREGROUND_FINALIZER,
    });
  }
}

function hasBlockingDependents({ context, graph }: Collector, owner: ApiObject): boolean {
  const uid = owner.metadata.uid ?? "";
  return graph.dependentsOf(uid).some((node) => {
    const references = context.objects.get(node.groupResource, node)?.metadata.ownerReferences ?? [];
    return references.some((reference) => reference.uid === uid && reference.blockOwnerDeletion === true);
  });
}

async function orphanDependents({ context, client, graph }: Collector, owner: ApiObject): Promise<void> {
  const uid = owner.metadata.uid ?? "";
  for (const node of graph.dependentsOf(uid)) {
    const object = context.objects.get(node.groupResource, node);
    const resource = storedResources(context, ["patch"]).find(
      ({ storedAs }) =>
        storedAs.group === node.groupResource.group && storedAs.resource === node.groupResource.resource,
    );
    if (object === undefined || resource === undefined) continue;
    const gone = (object.metadata.ownerReferences ?? []).filter((reference) => reference.uid === uid);
    await dropReferences(client, { target: targetOf(resource, object), object, gone });
  }
}

async function dropReferences(
  client: InternalClient,
  change: { readonly target: ObjectTarget; readonly object: ApiObject; readonly gone: readonly OwnerReference[] },
): Promise<void> {
  const gone = new Set(change.gone.map(({ uid }) => uid));
  const ownerReferences = (change.object.metadata.ownerReferences ?? []).filter(({ uid }) => !gone.has(uid));
  await patchMetadata(client, change, { ownerReferences: ownerReferences.length === 0 ? null : ownerReferences });
}

// Reports whether a reference blocked the deletion of its owner.
async function unblockOwners(client: InternalClient, target: ObjectTarget, object: ApiObject): Promise<boolean> {
  const references = object.metadata.ownerReferences ?? [];
  if (!references.some(({ blockOwnerDeletion }) => blockOwnerDeletion === true)) return false;
  const ownerReferences = references.map((reference) => ({ ...reference, blockOwnerDeletion: false }));
  await patchMetadata(client, { target, object }, { ownerReferences });
  return true;
}

async function dropFinalizer(
  client: InternalClient,
  change: { readonly target: ObjectTarget; readonly object: ApiObject; readonly finalizer: string },
): Promise<void> {
  const finalizers = (change.object.metadata.finalizers ?? []).filter((finalizer) => finalizer !== change.finalizer);
  await patchMetadata(client, change, { finalizers });
}

async function patchMetadata(
  client: InternalClient,
  { target, object }: { readonly target: ObjectTarget; readonly object: ApiObject },
  fields: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { uid, resourceVersion } = object.metadata;
  await client.patch(target, {
    contentType: "application/merge-patch+json",
    body: { metadata: { uid, resourceVersion, ...fields } },
  });
}

/** The owners that an object names, by what became of them. */
interface ClassifiedOwners {
  /** They exist and are not waiting for their dependents: the object stays. */
  readonly solid: readonly OwnerReference[];
  /** They do not exist, or an object of another uid has their name. */
  readonly dangling: readonly OwnerReference[];
  /** They are being deleted and wait for their dependents. */
  readonly waiting: readonly OwnerReference[];
  /** Their kind is not served, so nothing can be said. */
  readonly unknown: readonly OwnerReference[];
}

/** Looks the owners of an object up. */
function classifyOwners(context: ServerContext, object: ApiObject): ClassifiedOwners {
  const owners: Record<keyof ClassifiedOwners, OwnerReference[]> = {
    solid: [],
    dangling: [],
    waiting: [],
    unknown: [],
  };
  for (const reference of object.metadata.ownerReferences ?? [])
    owners[classify(context, object, reference)].push(reference);
  return owners;
}

/** Reports whether an object is being deleted and waits for its dependents. */
function waitsForDependents(object: ApiObject): boolean {
  return (
    object.metadata.deletionTimestamp !== undefined && (object.metadata.finalizers ?? []).includes(FOREGROUND_FINALIZER)
  );
}

/** Where the owner that a reference names is stored, and the object of that name, if there is one. */
interface FoundOwner {
  readonly groupResource: GroupResource;
  readonly namespace: string;
  readonly object: ApiObject | undefined;
}

/** Looks up what a reference names; nothing when its kind is not served, or when a cluster-scoped object names a namespaced owner. */
function findOwner(context: ServerContext, object: ApiObject, reference: OwnerReference): FoundOwner | undefined {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const resource =
    context.resources.findByKind({ group, version, kind: reference.kind }) ??
    context.resources.preferred({ group, kind: reference.kind });
  const ownNamespace = object.metadata.namespace ?? "";
  if (resource === undefined || (resource.isNamespaced && ownNamespace === "")) return undefined;
  const namespace = resource.isNamespaced ? ownNamespace : "";
  const owner = context.objects.get(resource.storedAs, { namespace, name: reference.name });
  return { groupResource: resource.storedAs, namespace, object: owner };
}

function classify(context: ServerContext, object: ApiObject, reference: OwnerReference): keyof ClassifiedOwners {
  const found = findOwner(context, object, reference);
  if (found === undefined) return "unknown";
  if (found.object === undefined || found.object.metadata.uid !== reference.uid) return "dangling";
  return waitsForDependents(found.object) ? "waiting" : "solid";
}
