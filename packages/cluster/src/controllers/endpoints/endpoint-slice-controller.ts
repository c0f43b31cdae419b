import { isIPv6 } from "node:net";

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
import type { Node, Pod, Service } from "@kubescaffold/k8s/core/v1";
import type { Endpoint, EndpointPort, EndpointSlice } from "@kubescaffold/k8s/discovery/v1";

import { controllerReference, isReady, PODS, readStored } from "../workload/workload-objects.ts";
import { ENDPOINT_SLICES, hasSelector, SERVICES } from "./endpoint-resources.ts";
import { hasAddresses, hostnameOf, isHeadless, podsOf, portOf, servicesOfChange } from "./service-pods.ts";
import { type EndpointGroup, planSlices, portsKey, recycleSlices, type SlicePlan } from "./slice-plan.ts";
import { writeSlices } from "./slice-writer.ts";
import { TRIGGER_TIME, TriggerTimes } from "./trigger-times.ts";

const NODES = { group: "", resource: "nodes" } as const;
const SERVICE_NAME = "kubernetes.io/service-name";
const MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
const HEADLESS = "service.kubernetes.io/headless";
const MANAGER = "endpointslice-controller.k8s.io";
const RESERVED: ReadonlySet<string> = new Set([SERVICE_NAME, MANAGED_BY, HEADLESS]);

/** Writes EndpointSlices with the Pods that Services select. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: SliceWork = {
    context,
    client: context.clientFor(self.user),
    triggerTimes: new TriggerTimes(),
  };
  return storeController({
    name: self.name,
    context,
    watches: [SERVICES, PODS, ENDPOINT_SLICES, NODES],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () =>
      context.objects
        .list(SERVICES)
        .map(({ metadata }) => keyOf({ namespace: metadata.namespace ?? "", name: metadata.name ?? "" })),
    work: async (key) => await syncService(work, key),
  });
}

interface SliceWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly triggerTimes: TriggerTimes;
}

function keysOf(context: ServerContext, event: StoreEvent): readonly string[] {
  const { groupResource, object, kind } = event;
  if (groupResource.resource === "endpointslices") {
    return [object, ...(event.previous === undefined ? [] : [event.previous])].flatMap(({ metadata }) => {
      const { namespace = "", labels = {} } = metadata;
      const name = labels[SERVICE_NAME] ?? "";
      return labels[MANAGED_BY] !== MANAGER || name === "" ? [] : [keyOf({ namespace, name })];
    });
  }
  if (groupResource.resource !== "nodes") return servicesOfChange(context, event);
  // A Pod may have waited for its node.
  if (kind === "modified") return [];
  const pods = context.objects.list(PODS).filter((pod) => (pod as Pod).spec?.nodeName === object.metadata.name);
  return [
    ...new Set(
      pods.flatMap((pod) =>
        servicesOfChange(context, { ...event, groupResource: PODS, object: pod, previous: undefined }),
      ),
    ),
  ];
}

async function syncService(work: SliceWork, key: string): Promise<void> {
  const { context, client, triggerTimes } = work;
  const service = readStored<Service>(context, SERVICES, splitKey(key));
  if (service === undefined) {
    triggerTimes.delete(key);
    return;
  }
  if (!hasSelector(service)) return;
  const pods = podsOf(context, service);
  const existing = slicesOf(context, service);
  const triggerTime = triggerTimes.next(service, pods);
  const namespace = service.metadata.namespace ?? "";
  const families = service.spec?.ipFamilies ?? ["IPv4"];
  const unsupported = existing.filter(({ addressType }) => !families.some((family) => family === addressType));
  for (const family of families) {
    const slices = existing.filter(({ addressType }) => addressType === family);
    const plan = planFamily(context, { service, pods, family: family as "IPv4" | "IPv6", slices });
    await writeSlices(client, timed(plan, triggerTime), {
      namespace,
      isOwnerDeleted: service.metadata.deletionTimestamp !== undefined,
    });
  }
  await writeSlices(client, { create: [], update: [], remove: unsupported }, { namespace, isOwnerDeleted: false });
}

function slicesOf(context: ServerContext, { metadata }: Service): readonly EndpointSlice[] {
  const slices = context.objects.list(ENDPOINT_SLICES, metadata.namespace) as unknown as readonly EndpointSlice[];
  return slices.filter(({ metadata: { labels = {}, deletionTimestamp } }) => {
    const isOwn = labels[SERVICE_NAME] === metadata.name && labels[MANAGED_BY] === MANAGER;
    return isOwn && deletionTimestamp === undefined;
  });
}

interface FamilyOfService {
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly family: "IPv4" | "IPv6";
  readonly slices: readonly EndpointSlice[];
}

function planFamily(context: ServerContext, { service, pods, family, slices }: FamilyOfService): SlicePlan {
  const emptySlice = emptySliceOf(service, family);
  const isOwned = ({ metadata }: EndpointSlice): boolean =>
    (metadata.ownerReferences ?? []).some(({ uid }) => uid === service.metadata.uid);
  const groups = groupsOf(context, { service, pods, family });
  const plans = [...groups].map(([key, group]) =>
    planSlices(
      slices.filter((slice) => isOwned(slice) && portsKey(slice.ports) === key),
      group,
      emptySlice,
    ),
  );
  const foreign = slices.filter((slice) => !isOwned(slice));
  const outdated = slices.filter((slice) => isOwned(slice) && !groups.has(portsKey(slice.ports)));
  const plan = {
    create: plans.flatMap(({ create }) => create),
    update: plans.flatMap(({ update }) => update),
    remove: [...plans.flatMap(({ remove }) => remove), ...outdated],
  };
  const result = recycleSlices(withPlaceholder(plan, slices.length - foreign.length, emptySlice));
  return { ...result, remove: [...result.remove, ...foreign] };
}

// A Service always has a slice.
function withPlaceholder(plan: SlicePlan, present: number, emptySlice: EndpointSlice): SlicePlan {
  if (plan.create.length > 0 || plan.remove.length < present) return plan;
  const [only] = plan.remove;
  const isPlaceholder =
    plan.remove.length === 1 &&
    (only?.endpoints ?? []).length === 0 &&
    (only?.ports ?? []).length === 0 &&
    hasLabels(only, emptySlice);
  return isPlaceholder ? { ...plan, remove: [] } : { ...plan, create: [emptySlice] };
}

function hasLabels(slice: EndpointSlice | undefined, { metadata }: EndpointSlice): boolean {
  const [labels, wanted] = [slice?.metadata.labels ?? {}, metadata.labels ?? {}];
  const keys = new Set([...Object.keys(labels), ...Object.keys(wanted)]);
  return [...keys].every((key) => labels[key] === wanted[key]);
}

function groupsOf(
  context: ServerContext,
  { service, pods, family }: Omit<FamilyOfService, "slices">,
): ReadonlyMap<string, EndpointGroup> {
  const groups = new Map<string, EndpointGroup>();
  for (const pod of pods.filter((each) => hasAddresses(each))) {
    const ports = portsOf(service, pod);
    const key = portsKey(ports);
    const endpoint = endpointOf(context, service, pod, family);
    const endpoints = groups.get(key)?.endpoints ?? [];
    groups.set(key, { ports, endpoints: endpoint === undefined ? endpoints : [...endpoints, endpoint] });
  }
  return groups;
}

function portsOf({ spec }: Service, pod: Pod): readonly EndpointPort[] {
  return (spec?.ports ?? []).flatMap((servicePort) => {
    const port = portOf(pod, servicePort);
    const { name = "", protocol = "TCP", appProtocol } = servicePort;
    return port === undefined ? [] : [{ name, port, protocol, ...(appProtocol === undefined ? {} : { appProtocol }) }];
  });
}

function endpointOf(context: ServerContext, service: Service, pod: Pod, family: "IPv4" | "IPv6"): Endpoint | undefined {
  const { spec = {} } = service;
  const { nodeName = "" } = pod.spec ?? {};
  const node = context.objects.get(NODES, { namespace: "", name: nodeName }) as Node | undefined;
  // Pods may also run on nodes that no object describes, in clusters without any.
  const hasNodes = context.objects.list(NODES).length > 0;
  if (node === undefined && hasNodes && spec.publishNotReadyAddresses !== true) return undefined;
  const addresses = (pod.status?.podIPs ?? []).flatMap(({ ip }) =>
    ip !== "" && isIPv6(ip) === (family === "IPv6") ? [ip] : [],
  );
  if (addresses.length === 0) return undefined;
  const serving = isReady(pod);
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = spec.publishNotReadyAddresses === true || (serving && !terminating);
  const zone = node?.metadata.labels?.["topology.kubernetes.io/zone"] ?? "";
  const hostname = hostnameOf(pod, service);
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  return {
    addresses,
    conditions: { ready, serving, terminating },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: { kind: "Pod", namespace, name, uid },
    ...(nodeName === "" ? {} : { nodeName }),
    ...(zone === "" ? {} : { zone }),
    ...hintsOf(spec.trafficDistribution, { ready, zone, nodeName }),
  };
}

function hintsOf(
  distribution: string | undefined,
  { ready, zone, nodeName }: { readonly ready: boolean; readonly zone: string; readonly nodeName: string },
): Pick<Endpoint, "hints"> {
  const isClose = ["PreferClose", "PreferSameZone", "PreferSameNode"].includes(distribution ?? "");
  if (!ready || !isClose) return {};
  const hints = {
    ...(zone === "" ? {} : { forZones: [{ name: zone }] }),
    ...(distribution === "PreferSameNode" && nodeName !== "" ? { forNodes: [{ name: nodeName }] } : {}),
  };
  return Object.keys(hints).length === 0 ? {} : { hints };
}

function emptySliceOf(service: Service, addressType: "IPv4" | "IPv6"): EndpointSlice {
  const { name = "", namespace = "", labels = {} } = service.metadata;
  const own = Object.fromEntries(Object.entries(labels).filter(([key]) => !RESERVED.has(key)));
  const prefix = name.length < 63 ? `${name}-` : name;
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      generateName: prefix,
      namespace,
      labels: {
        ...own,
        ...(isHeadless(service) ? { [HEADLESS]: "" } : {}),
        [SERVICE_NAME]: name,
        [MANAGED_BY]: MANAGER,
      },
      ownerReferences: [controllerReference({ ...service, apiVersion: "v1", kind: "Service" })],
    },
    addressType,
    endpoints: [],
    ports: [],
  };
}

function timed(plan: SlicePlan, triggerTime: string | undefined): SlicePlan {
  const withTime = (slice: EndpointSlice): EndpointSlice => {
    const { [TRIGGER_TIME]: _former, ...others } = slice.metadata.annotations ?? {};
    const annotations = { ...others, ...(triggerTime === undefined ? {} : { [TRIGGER_TIME]: triggerTime }) };
    return { ...slice, metadata: { ...slice.metadata, annotations } };
  };
  return { ...plan, create: plan.create.map(withTime), update: plan.update.map(withTime) };
}
