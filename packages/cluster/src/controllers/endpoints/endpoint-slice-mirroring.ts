import { isIP, isIPv6 } from "node:net";

import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { EndpointAddress, Endpoints, EndpointSubset, Service } from "@kubescaffold/k8s/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubescaffold/k8s/discovery/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { type EventWriter, eventWriter } from "../workload/event-writer.ts";
import { controllerReference, readStored } from "../workload/workload-objects.ts";
import { ENDPOINT_SLICES, ENDPOINTS, SERVICES } from "./endpoint-resources.ts";
import { repackSubsets } from "./endpoint-subsets.ts";
import { portsKey, recycleSlices, type SlicePlan } from "./slice-plan.ts";
import { writeSlices } from "./slice-writer.ts";
import { TRIGGER_TIME } from "./trigger-times.ts";

const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const MANAGER = "endpointslicemirroring-controller.k8s.io";
const MOST_ADDRESSES = 1000;

/** Copies Endpoints that users wrote for Services without a selector to EndpointSlices. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, "endpoint-slice-mirroring-controller"),
  };
  return storeController({
    name: self.name,
    context,
    watches: [SERVICES, ENDPOINTS, ENDPOINT_SLICES],
    keysOf,
    initialKeys: () => context.objects.list(ENDPOINTS).map((object) => keyOf(objectKey(object))),
    work: async (key) => await mirror(work, key),
  });
}

interface MirrorWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

function keysOf({ groupResource, object, previous }: StoreEvent): readonly string[] {
  if (groupResource.resource !== "endpointslices") return [keyOf(objectKey(object))];
  return [object, ...(previous === undefined ? [] : [previous])].flatMap(({ metadata }) => {
    const { namespace = "", labels = {} } = metadata;
    return labels[MANAGED_BY] === MANAGER ? [keyOf({ namespace, name: labels[SERVICE_NAME] ?? "" })] : [];
  });
}

async function mirror({ context, client, events }: MirrorWork, key: string): Promise<void> {
  const { namespace, name } = splitKey(key);
  const endpoints = readStored<Endpoints>(context, ENDPOINTS, { namespace, name });
  const service = readStored<Service>(context, SERVICES, { namespace, name });
  const existing = mirroredSlices(context, namespace, name);
  const isMirrored =
    endpoints !== undefined && allowsMirror(endpoints) && service !== undefined && service.spec?.selector === undefined;
  if (!isMirrored) {
    await writeSlices(client, { create: [], update: [], remove: existing }, { namespace, isOwnerDeleted: false });
    return;
  }
  const subsets = repackSubsets(endpoints.subsets ?? []);
  const plan = planOf(endpoints, subsets, existing);
  // Its own slices lead here again.
  if (plan.create.length + plan.update.length > 0) await reportSkipped(events, endpoints, subsets);
  await writeSlices(client, plan, { namespace, isOwnerDeleted: endpoints.metadata.deletionTimestamp !== undefined });
}

function allowsMirror({ metadata: { labels = {}, annotations = {} } }: Endpoints): boolean {
  const isSkipped = labels["endpointslice.kubernetes.io/skip-mirror"] === "true";
  return !isSkipped && annotations["control-plane.alpha.kubernetes.io/leader"] === undefined;
}

function mirroredSlices(context: ServerContext, namespace: string, name: string): readonly EndpointSlice[] {
  const slices = context.objects.list(ENDPOINT_SLICES, namespace) as unknown as readonly EndpointSlice[];
  return slices.filter(
    ({ metadata: { labels = {}, deletionTimestamp } }) =>
      labels[SERVICE_NAME] === name && labels[MANAGED_BY] === MANAGER && deletionTimestamp === undefined,
  );
}

function planOf(
  endpoints: Endpoints,
  subsets: readonly EndpointSubset[],
  existing: readonly EndpointSlice[],
): SlicePlan {
  const wanted = new Map<string, EndpointSlice>();
  for (const subset of subsets) {
    for (const family of ["IPv4", "IPv6"] as const) {
      const slice = sliceOf(endpoints, subset, family);
      if (slice.endpoints.length > 0) wanted.set(sliceKey(slice), slice);
    }
  }
  const create: EndpointSlice[] = [];
  const update: EndpointSlice[] = [];
  const remove: EndpointSlice[] = [];
  const found = new Map<string, EndpointSlice>();
  for (const slice of existing) {
    const key = sliceKey(slice);
    if (wanted.has(key) && !found.has(key)) found.set(key, slice);
    else remove.push(slice);
  }
  for (const [key, slice] of wanted) {
    const present = found.get(key);
    if (present === undefined) create.push(slice);
    else if (!isSame(present, slice)) update.push(renamed(slice, present));
  }
  return recycleSlices({ create, update, remove });
}

function sliceKey({ ports, addressType }: EndpointSlice): string {
  return `${addressType}-${portsKey(ports)}`;
}

function isSame(present: EndpointSlice, { metadata, endpoints }: EndpointSlice): boolean {
  const byAddress = (list: readonly Endpoint[] | null): readonly Endpoint[] =>
    (list ?? []).toSorted((left, right) => (left.addresses.join() < right.addresses.join() ? -1 : 1));
  return (
    deepEqual(present.metadata.labels ?? {}, metadata.labels ?? {}) &&
    deepEqual(present.metadata.annotations ?? {}, metadata.annotations ?? {}) &&
    deepEqual(present.metadata.ownerReferences ?? [], metadata.ownerReferences ?? []) &&
    deepEqual(byAddress(present.endpoints), byAddress(endpoints))
  );
}

function renamed(slice: EndpointSlice, present: EndpointSlice): EndpointSlice {
  const { generateName: _generateName, ...metadata } = slice.metadata;
  const { name = "", resourceVersion = "" } = present.metadata;
  return { ...slice, metadata: { ...metadata, name, resourceVersion } };
}

function sliceOf(endpoints: Endpoints, subset: EndpointSubset, addressType: "IPv4" | "IPv6"): EndpointSlice {
  const { name = "", namespace = "", labels = {}, annotations = {} } = endpoints.metadata;
  const { [TRIGGER_TIME]: _time, "kubectl.kubernetes.io/last-applied-configuration": _applied, ...own } = annotations;
  const of = (addresses: readonly EndpointAddress[] = [], ready: boolean): readonly Endpoint[] =>
    addresses
      .filter(({ ip }) => isIP(ip) !== 0 && isIPv6(ip) === (addressType === "IPv6"))
      .map((address) => endpointOf(address, ready));
  const all = [...of(subset.addresses, true), ...of(subset.notReadyAddresses, false)];
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: name.length < 63 ? `${name}-` : name,
      namespace,
      labels: { ...labels, [SERVICE_NAME]: name, [MANAGED_BY]: MANAGER },
      annotations: own,
      ownerReferences: [controllerReference({ ...endpoints, apiVersion: "v1", kind: "Endpoints" })],
    },
    addressType,
    endpoints: all.slice(0, MOST_ADDRESSES),
    ports: (subset.ports ?? []).map((port): EndpointPort => ({ name: "", ...port })),
  };
}

function endpointOf({ ip, hostname = "", nodeName, targetRef }: EndpointAddress, ready: boolean): Endpoint {
  return {
    addresses: [ip],
    conditions: { ready },
    ...(hostname === "" ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}

async function reportSkipped(
  events: EventWriter,
  endpoints: Endpoints,
  subsets: readonly EndpointSubset[],
): Promise<void> {
  const counts = subsets.map(({ addresses = [], notReadyAddresses = [] }) => {
    const all = [...addresses, ...notReadyAddresses];
    const invalid = all.filter(({ ip }) => isIP(ip) === 0).length;
    return { invalid, excess: Math.max(0, all.length - invalid - MOST_ADDRESSES) };
  });
  const sum = (field: "invalid" | "excess"): number => counts.reduce((total, count) => total + count[field], 0);
  const [invalid, excess] = [sum("invalid"), sum("excess")];
  if (invalid > 0) {
    const message = `Skipped ${String(invalid)} invalid IP addresses when mirroring to EndpointSlices`;
    await events.write(endpoints, { type: "Warning", reason: "InvalidIPAddress", message });
  }
  if (excess > 0) {
    const message = `A max of ${String(MOST_ADDRESSES)} addresses can be mirrored to EndpointSlices per Endpoints subset. ${String(invalid + excess)} addresses were skipped`;
    await events.write(endpoints, { type: "Warning", reason: "TooManyAddressesToMirror", message });
  }
}
