import type { Service } from "@kubescaffold/k8s/core/v1";

import type { Amounts } from "./amounts.ts";
import type { Evaluator } from "./evaluator.ts";

const SERVICE_NAMES: ReadonlySet<string> = new Set([
  "count/services",
  "services",
  "services.nodeports",
  "services.loadbalancers",
]);

/** Measures Services: their number, node ports, and load balancers. */
export const serviceEvaluator: Evaluator = {
  handles: ({ operation, subresource }) => subresource === "" && (operation === "CREATE" || operation === "UPDATE"),
  matchingNames: (names) => names.filter((name) => SERVICE_NAMES.has(name)).toSorted(),
  isInScope: () => false,
  usageOf: (object) => usageOf(object),
};

function usageOf({ spec = {} }: Service): Amounts {
  const { type, ports = [], allocateLoadBalancerNodePorts } = spec;
  const given = allocateLoadBalancerNodePorts === false ? ports.filter(({ nodePort = 0 }) => nodePort !== 0) : ports;
  const nodePorts = type === "NodePort" ? ports : type === "LoadBalancer" ? given : [];
  return {
    "count/services": "1",
    services: "1",
    "services.nodeports": String(nodePorts.length),
    "services.loadbalancers": type === "LoadBalancer" ? "1" : "0",
  };
}
