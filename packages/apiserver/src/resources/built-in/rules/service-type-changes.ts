import { deepEqual } from "@kubescaffold/schema";

import type { MutableJsonObject } from "../../../storage/api-object.ts";
import { objectsIn, textIn } from "../../fields.ts";

/**
 * Drops what the old type of a service needed and the new one does not, unless the client has changed it.
 *
 * A patch of the type alone keeps these fields, and would be refused for them.
 */
export function dropFieldsOfOldType(spec: MutableJsonObject, old: MutableJsonObject | undefined): void {
  if (old === undefined) return;
  const isNoLonger = (needs: (spec: MutableJsonObject) => boolean): boolean => needs(old) && !needs(spec);
  const dropSame = (...fields: readonly string[]): void => {
    for (const field of fields) if (deepEqual(spec[field], old[field])) Reflect.deleteProperty(spec, field);
  };
  if (isNoLonger((one) => textIn(one, "type") !== "ExternalName")) {
    dropSame("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy", "internalTrafficPolicy");
  }
  if (isNoLonger(mayHaveNodePorts) && deepEqual(nodePortsOf(spec), nodePortsOf(old))) {
    for (const port of objectsIn(spec, "ports")) Reflect.deleteProperty(port, "nodePort");
  }
  if (isNoLonger(isExternal)) dropSame("externalTrafficPolicy");
  if (isNoLonger((one) => textIn(one, "type") === "LoadBalancer")) {
    dropSame("allocateLoadBalancerNodePorts", "loadBalancerClass", "healthCheckNodePort");
  }
}

/** Reports whether every port of a service has a port of the nodes. */
export function needsNodePorts(spec: MutableJsonObject): boolean {
  const type = textIn(spec, "type");
  return type === "NodePort" || (type === "LoadBalancer" && spec["allocateLoadBalancerNodePorts"] !== false);
}

const mayHaveNodePorts = (spec: MutableJsonObject): boolean =>
  ["NodePort", "LoadBalancer"].includes(textIn(spec, "type"));

function isExternal(spec: MutableJsonObject): boolean {
  const type = textIn(spec, "type");
  const { externalIPs } = spec;
  const hasAddresses = Array.isArray(externalIPs) && externalIPs.length > 0;
  return type === "NodePort" || type === "LoadBalancer" || (type === "ClusterIP" && hasAddresses);
}

function nodePortsOf(spec: MutableJsonObject): readonly number[] {
  const ports = objectsIn(spec, "ports").flatMap(({ nodePort }) => (typeof nodePort === "number" ? [nodePort] : []));
  return [...new Set(ports)].filter((port) => port !== 0).toSorted((one, other) => one - other);
}
