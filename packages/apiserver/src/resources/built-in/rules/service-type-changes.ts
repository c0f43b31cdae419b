import { deepEqual } from "@kubescaffold/schema/values";

import type { ApiObject, MutableJsonObject } from "../../../storage/api-object.ts";
import { objectIn, objectsIn, textIn, textsIn } from "../../fields.ts";
import { needsHealthCheck } from "./core/health-checks.ts";

/**
 * Drops what the old type of a Service needed and the new one does not, unless the client has changed it.
 *
 * A patch of the type alone keeps these fields, and would be refused for them.
 */
export function dropFieldsOfOldType(service: ApiObject, old: ApiObject): void {
  const [spec, before] = [objectIn(service, "spec") ?? {}, objectIn(old, "spec") ?? {}];
  const isNoLonger = (needs: (spec: MutableJsonObject) => boolean): boolean => needs(before) && !needs(spec);
  const isSame = (field: string): boolean => deepEqual(spec[field], before[field]);
  const drop = (...fields: readonly string[]): void => {
    for (const field of fields) Reflect.deleteProperty(spec, field);
  };
  if (isNoLonger((one) => textIn(one, "type") !== "ExternalName")) {
    if (isSame("clusterIP") && isSame("clusterIPs")) drop("clusterIP", "clusterIPs");
    drop(...["ipFamilies", "ipFamilyPolicy"].filter(isSame));
  }
  if (isNoLonger(mayHaveNodePorts) && hasNoNewNodePort(spec, before)) {
    for (const port of objectsIn(spec, "ports")) Reflect.deleteProperty(port, "nodePort");
  }
  if (isNoLonger(needsHealthCheck) && isSame("healthCheckNodePort")) drop("healthCheckNodePort");
  if (isNoLonger((one) => textIn(one, "type") === "LoadBalancer")) {
    drop(...["allocateLoadBalancerNodePorts", "loadBalancerClass"].filter(isSame));
  }
  if (isNoLonger(isExternal) && isSame("externalTrafficPolicy")) drop("externalTrafficPolicy");
  if (textIn(spec, "type") !== "LoadBalancer") service["status"] = { ...objectIn(service, "status"), loadBalancer: {} };
}

const mayHaveNodePorts = (spec: MutableJsonObject): boolean =>
  ["NodePort", "LoadBalancer"].includes(textIn(spec, "type"));

function isExternal(spec: MutableJsonObject): boolean {
  return mayHaveNodePorts(spec) || (textIn(spec, "type") === "ClusterIP" && textsIn(spec, "externalIPs").length > 0);
}

function hasNoNewNodePort(spec: MutableJsonObject, before: MutableJsonObject): boolean {
  const former = new Set(objectsIn(before, "ports").map(({ nodePort }) => nodePort));
  return objectsIn(spec, "ports").every(({ nodePort = 0 }) => nodePort === 0 || former.has(nodePort));
}
