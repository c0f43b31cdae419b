import { isIPv6 } from "node:net";

import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey } from "@kubescaffold/k8s";
import type { EndpointAddress, Endpoints, EndpointSubset, Pod, Service } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { isReady, PODS, readStored } from "../workload/workload-objects.ts";
import { limitAddresses, OVER_CAPACITY } from "./endpoint-capacity.ts";
import { ENDPOINTS, ENDPOINTS_MANAGED_BY, hasSelector, SERVICES } from "./endpoint-resources.ts";
import { repackSubsets } from "./endpoint-subsets.ts";
import { hasAddresses, hostnameOf, isHeadless, podsOf, portOf, servicesOfChange } from "./service-pods.ts";
import { isEnding } from "./slice-writer.ts";
import { TRIGGER_TIME, TriggerTimes } from "./trigger-times.ts";

const HEADLESS = "service.kubernetes.io/headless";
const MANAGER = "endpoint-controller";

/** Writes Endpoints with the Pods that Services select, and deletes those of deleted Services. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const triggerTimes = new TriggerTimes();
  return storeController({
    name: self.name,
    context,
    watches: [SERVICES, PODS, ENDPOINTS],
    keysOf: (event) => {
      if (event.groupResource.resource !== "endpoints") return servicesOfChange(context, event);
      return event.kind === "deleted" ? [keyOf(objectKey(event.object))] : [];
    },
    initialKeys: () =>
      [...context.objects.list(SERVICES), ...leftEndpoints(context)].map((object) => keyOf(objectKey(object))),
    work: async (key) => {
      const service = readStored<Service>(context, SERVICES, splitKey(key));
      if (service === undefined) {
        triggerTimes.delete(key);
        await removeEndpoints(context, client, key);
      } else if (hasSelector(service)) {
        await writeEndpoints(context, client, service, triggerTimes);
      }
    },
  });
}

const LEADER = "control-plane.alpha.kubernetes.io/leader";

function leftEndpoints(context: ServerContext): readonly Endpoints[] {
  const all = context.objects.list(ENDPOINTS) as unknown as readonly Endpoints[];
  return all.filter(({ metadata }) => metadata.annotations?.[LEADER] === undefined);
}

async function removeEndpoints(context: ServerContext, client: InternalClient, key: string): Promise<void> {
  if (context.objects.get(ENDPOINTS, splitKey(key)) === undefined) return;
  try {
    await client.delete({ ...ENDPOINTS, ...splitKey(key) });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function writeEndpoints(
  context: ServerContext,
  client: InternalClient,
  service: Service,
  triggerTimes: TriggerTimes,
): Promise<void> {
  const pods = podsOf(context, service);
  const triggerTime = triggerTimes.next(service, pods);
  const all = repackSubsets(pods.flatMap((pod) => subsetsOf(service, pod)));
  const subsets = limitAddresses(all);
  const { namespace = "", name = "", labels = {} } = service.metadata;
  const current = readStored<Endpoints>(context, ENDPOINTS, { namespace, name });
  const { [HEADLESS]: _headless, ...own } = labels;
  const wanted = { ...(isHeadless(service) ? { ...own, [HEADLESS]: "" } : own), [ENDPOINTS_MANAGED_BY]: MANAGER };
  const isLimited = subsets !== all;
  const isCurrent =
    deepEqual(repackSubsets(current?.subsets ?? []), repackSubsets(subsets)) &&
    deepEqual(current?.metadata.labels ?? {}, wanted) &&
    (current?.metadata.annotations?.[OVER_CAPACITY] !== undefined) === isLimited;
  if (current !== undefined && isCurrent) return;
  const { [TRIGGER_TIME]: _time, [OVER_CAPACITY]: _capacity, ...others } = current?.metadata.annotations ?? {};
  const annotations = isLimited ? { ...others, [OVER_CAPACITY]: "truncated" } : others;
  const endpoints = {
    apiVersion: "v1",
    kind: "Endpoints",
    metadata: {
      ...current?.metadata,
      name,
      namespace,
      labels: wanted,
      annotations: { ...annotations, ...(triggerTime === undefined ? {} : { [TRIGGER_TIME]: triggerTime }) },
    },
    subsets,
  };
  if (current !== undefined) {
    await client.update({ ...ENDPOINTS, namespace, name }, endpoints as never);
    return;
  }
  try {
    await client.create({ ...ENDPOINTS, namespace, name: "" }, endpoints as never);
  } catch (error) {
    if (!isEnding(error)) throw error;
  }
}

function subsetsOf(service: Service, pod: Pod): readonly EndpointSubset[] {
  const { spec = {} } = service;
  const isPublished = spec.publishNotReadyAddresses === true;
  if (!hasAddresses(pod) || (pod.metadata.deletionTimestamp !== undefined && !isPublished)) return [];
  const address = addressOf(service, pod);
  if (address === undefined) return [];
  const addresses = isPublished || isReady(pod) ? { addresses: [address] } : { notReadyAddresses: [address] };
  const { ports = [] } = spec;
  if (ports.length === 0) return spec.clusterIP === "None" ? [addresses] : [];
  return ports.flatMap((servicePort) => {
    const port = portOf(pod, servicePort);
    const { name, protocol = "TCP", appProtocol } = servicePort;
    const named = { ...(name === undefined ? {} : { name }), ...(appProtocol === undefined ? {} : { appProtocol }) };
    return port === undefined ? [] : [{ ...addresses, ports: [{ ...named, port, protocol }] }];
  });
}

function addressOf(service: Service, pod: Pod): EndpointAddress | undefined {
  const wantsIPv6 = service.spec?.ipFamilies?.[0] === "IPv6";
  const ip = pod.status?.podIPs?.find((each) => each.ip !== "" && isIPv6(each.ip) === wantsIPv6)?.ip;
  if (ip === undefined) return undefined;
  const hostname = hostnameOf(pod, service);
  const { name = "", namespace = "", uid = "" } = pod.metadata;
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    nodeName: pod.spec?.nodeName ?? "",
    targetRef: { kind: "Pod", namespace, name, uid },
  };
}
