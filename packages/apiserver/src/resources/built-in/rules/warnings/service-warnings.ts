import { goQuote } from "@kubescaffold/k8s";

import { since } from "../../../../release/rule-release.ts";
import type { ApiObject } from "../../../../storage/api-object.ts";
import { objectIn, textIn, textsIn } from "../../../fields.ts";
import { balancerPoints } from "../checks/balancer-points.ts";
import { addressWarnings, rangeWarnings } from "./address-warnings.ts";

const OLD_HINTS = "service.kubernetes.io/topology-aware-hints";

/** Returns the warnings about a Service. */
export function serviceWarnings(service: ApiObject): readonly string[] {
  const spec = objectIn(service, "spec");
  const [type, balancer] = [textIn(spec, "type"), textIn(spec, "loadBalancerIP")];
  const external = textsIn(spec, "externalIPs");
  const isHeadless = type === "ClusterIP" && textIn(spec, "clusterIP") === "None";
  const hasAddress = !["", "None"].includes(textIn(spec, "clusterIP"));
  return [
    ...(service.metadata.annotations?.[OLD_HINTS] === undefined
      ? []
      : [`annotation ${OLD_HINTS} is deprecated, please use service.kubernetes.io/topology-mode instead`]),
    ...(hasAddress ? eachAddress(textsIn(spec, "clusterIPs"), "spec.clusterIPs") : []),
    ...(isHeadless && balancer !== "" ? ["spec.loadBalancerIP is ignored for headless services"] : []),
    ...(isHeadless && external.length > 0 ? ["spec.externalIPs is ignored for headless services"] : []),
    ...(isHeadless && textIn(spec, "sessionAffinity") !== "None"
      ? ["spec.SessionAffinity is ignored for headless services"]
      : []),
    ...eachAddress(external, "spec.externalIPs"),
    ...addressWarnings("spec.loadBalancerIP", balancer),
    ...textsIn(spec, "loadBalancerSourceRanges").flatMap((range, index) =>
      rangeWarnings(`spec.loadBalancerSourceRanges[${index}]`, range),
    ),
    ...(type === "ExternalName" && external.length > 0
      ? ['spec.externalIPs is ignored when spec.type is "ExternalName"']
      : []),
    ...(type !== "ExternalName" && textIn(spec, "externalName") !== ""
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
    ...(since("1.36") && external.length > 0 && !isHeadless && type !== "ExternalName"
      ? ["spec.externalIPs is deprecated and may no longer be implemented in some clusters"]
      : []),
    ...(since("1.35") && textIn(spec, "trafficDistribution") === "PreferClose"
      ? [`spec.trafficDistribution: ${goQuote("PreferClose")} is deprecated; use ${goQuote("PreferSameZone")}`]
      : []),
  ];
}

function eachAddress(addresses: readonly string[], at: string): readonly string[] {
  return addresses.flatMap((address, index) => addressWarnings(`${at}[${index}]`, address));
}

/** Returns the warnings about the addresses of a load balancer in a status. */
export function balancerWarnings(object: ApiObject): readonly string[] {
  return balancerPoints(object).flatMap((point, index) =>
    addressWarnings(`status.loadBalancer.ingress[${index}]`, textIn(point, "ip")),
  );
}
