import {
  type ApiObject,
  keyOf,
  type ServerContext,
  storedLabelsMatcher,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { objectKey } from "@kubescaffold/k8s";
import type { Pod, Service, ServicePort } from "@kubescaffold/k8s/core/v1";

import { lastingContainers } from "../../kubelet/containers/restart-policy.ts";
import { hasEnded, PODS } from "../workload/workload-objects.ts";
import { hasSelector, SERVICES } from "./endpoint-resources.ts";

/** Returns the keys of the Services whose endpoints a change of a Service or a Pod concerns. */
export function servicesOfChange(
  context: ServerContext,
  { groupResource, object, previous }: StoreEvent,
): readonly string[] {
  if (groupResource.resource === "services") return [keyOf(objectKey(object))];
  const services = context.objects.list(SERVICES, object.metadata.namespace) as unknown as readonly Service[];
  const states = [object, ...(previous === undefined ? [] : [previous])];
  return services
    .filter((service) => hasSelector(service) && selectsOne(service, states))
    .map((service) => keyOf(objectKey(service)));
}

function selectsOne({ spec }: Service, states: readonly ApiObject[]): boolean {
  const isSelected = storedLabelsMatcher(spec?.selector ?? {});
  return states.some(({ metadata }) => isSelected(metadata.labels));
}

/** Returns the Pods that a Service selects. */
export function podsOf(context: ServerContext, service: Service): readonly Pod[] {
  const pods = context.objects.list(PODS, service.metadata.namespace) as unknown as readonly Pod[];
  const isSelected = storedLabelsMatcher(service.spec?.selector ?? {});
  return pods.filter(({ metadata }) => isSelected(metadata.labels));
}

/** Reports whether a Pod has addresses, and has not finished. */
export function hasAddresses(pod: Pod): boolean {
  const { podIP = "", podIPs = [] } = pod.status ?? {};
  return !hasEnded(pod) && (podIP !== "" || podIPs.length > 0);
}

/** Returns the number of the port of a Pod that a port of a Service leads to, or undefined for an unknown name. */
export function portOf(pod: Pod, { targetPort, port, protocol = "TCP" }: ServicePort): number | undefined {
  if (typeof targetPort !== "string") return targetPort ?? port;
  return lastingContainers(pod)
    .flatMap(({ ports = [] }) => ports)
    .find((candidate) => candidate.name === targetPort && (candidate.protocol ?? "TCP") === protocol)?.containerPort;
}

/** Returns the host name of a Pod below a headless Service. */
export function hostnameOf({ spec, metadata }: Pod, service: Service): string | undefined {
  const { hostname = "", subdomain } = spec ?? {};
  const isBelow = subdomain === service.metadata.name && metadata.namespace === service.metadata.namespace;
  return hostname !== "" && isBelow ? hostname : undefined;
}

/** Reports whether a Service has no address of its own. */
export function isHeadless({ spec }: Service): boolean {
  const { clusterIP = "" } = spec ?? {};
  return clusterIP === "" || clusterIP === "None";
}
