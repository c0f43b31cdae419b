import { quantityToNumber } from "@kubescaffold/k8s";
import type { Container, Pod } from "@kubescaffold/k8s/core/v1";

import { isSidecar } from "../kubelet/containers/restart-policy.ts";

/** Amounts of resources by name; those of `cpu` are in thousandths. */
export type Amounts = ReadonlyMap<string, number>;

type Quantities = Readonly<Record<string, string>> | undefined;

const NONE: Amounts = new Map();
const POD_LEVEL = new Set(["cpu", "memory"]);

// Containers without requests count in scores, so that they are spread, too.
const SCORED_REQUESTS: ReadonlyMap<string, number> = new Map([
  ["cpu", 100],
  ["memory", 200 * 1024 * 1024],
]);

/** Reads a list of resources. */
export function amountsOf(quantities: Quantities): Amounts {
  if (quantities === undefined) return NONE;
  return new Map(Object.entries(quantities).map(([name, quantity]) => [name, amountOf(name, quantity)]));
}

// Fractions are rounded up.
function amountOf(name: string, quantity: string): number {
  return Math.ceil(quantityToNumber(quantity) * (name === "cpu" ? 1000 : 1) - 1e-9);
}

/** Returns the resources that a pod needs on its node. */
export function podRequests(pod: Pod): Amounts {
  return totalRequests(pod, NONE);
}

/** Returns the resources that a pod counts with when nodes are compared: at least a little for each container. */
export function scoredRequests(pod: Pod): Amounts {
  return totalRequests(pod, SCORED_REQUESTS);
}

// Init containers run one after another, beside the sidecars that were started before them.
function totalRequests({ spec }: Pod, missing: Amounts): Amounts {
  const total = new Map<string, number>();
  for (const container of spec?.containers ?? []) add(total, requestsOf(container, missing));
  const sidecars = new Map<string, number>();
  const starting = new Map<string, number>();
  for (const container of spec?.initContainers ?? []) {
    const requests = requestsOf(container, missing);
    if (isSidecar(container)) {
      add(total, requests);
      add(sidecars, requests);
      raise(starting, sidecars);
    } else {
      const step = new Map(requests);
      add(step, sidecars);
      raise(starting, step);
    }
  }
  raise(total, starting);
  for (const [name, quantity] of Object.entries(spec?.resources?.requests ?? {})) {
    if (POD_LEVEL.has(name) || name.startsWith("hugepages-")) total.set(name, amountOf(name, quantity));
  }
  add(total, amountsOf(spec?.overhead));
  return total;
}

function requestsOf({ resources }: Container, missing: Amounts): Amounts {
  const requests = amountsOf(resources?.requests);
  return missing.size === 0 ? requests : new Map([...missing, ...requests]);
}

function add(total: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) total.set(name, (total.get(name) ?? 0) + amount);
}

function raise(least: Map<string, number>, amounts: Amounts): void {
  for (const [name, amount] of amounts) least.set(name, Math.max(least.get(name) ?? 0, amount));
}
