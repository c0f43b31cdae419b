import { addQuantities, compareQuantities, type Quantity } from "@kubescaffold/k8s";
import type { Container, PodSpec } from "@kubescaffold/k8s/core/v1";

/** Amounts by the name of the resource. */
export type Amounts = Readonly<Record<string, Quantity>>;

type Part = "requests" | "limits";

// The other resources are those of containers only.
const POD_LEVEL = /^(?:cpu|memory|hugepages-.+)$/u;

/**
 * Returns the requests or limits of a Pod: those of its containers and sidecars together, or of its largest init container with the
 * sidecars that run then; amounts of the Pod itself replace them.
 */
export function podAmounts(spec: PodSpec, part: Part): Amounts {
  let running: Amounts = {};
  for (const container of spec.containers) running = sum(running, amountsOf(container, part));
  let sidecars: Amounts = {};
  let starting: Amounts = {};
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container, part);
    const isSidecar = container.restartPolicy === "Always";
    if (isSidecar) {
      running = sum(running, own);
      sidecars = sum(sidecars, own);
    }
    starting = largest(starting, isSidecar ? sidecars : sum(own, sidecars));
  }
  return { ...withOverhead(largest(running, starting), spec, part), ...ofPod(spec, part) };
}

function amountsOf({ resources }: Container, part: Part): Amounts {
  return resources?.[part] ?? {};
}

function ofPod({ resources }: PodSpec, part: Part): Amounts {
  return Object.fromEntries(Object.entries(resources?.[part] ?? {}).filter(([name]) => POD_LEVEL.test(name)));
}

// The overhead has no limit, so that it only extends one.
function withOverhead(amounts: Amounts, { overhead = {} }: PodSpec, part: Part): Amounts {
  const added = part === "requests" ? overhead : onlyOf(overhead, amounts);
  return sum(amounts, added);
}

function onlyOf(amounts: Amounts, others: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => others[name] !== undefined));
}

function sum(left: Amounts, right: Amounts): Amounts {
  return merged(left, right, addQuantities);
}

function largest(left: Amounts, right: Amounts): Amounts {
  return merged(left, right, (one, other) => (compareQuantities(one, other) < 0 ? other : one));
}

function merged(left: Amounts, right: Amounts, join: (one: Quantity, other: Quantity) => Quantity): Amounts {
  const result: Record<string, Quantity> = { ...left };
  for (const [name, amount] of Object.entries(right)) {
    const known = result[name];
    result[name] = known === undefined ? amount : join(known, amount);
  }
  return result;
}
