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
  const running = new Totals();
  for (const container of spec.containers) running.add(amountsOf(container, part));
  const sidecars = new Totals();
  const starting = new Totals();
  for (const container of spec.initContainers ?? []) {
    const own = amountsOf(container, part);
    if (container.restartPolicy === "Always") {
      running.add(own);
      sidecars.add(own);
    } else {
      starting.raise(own, sidecars);
    }
  }
  running.raise(starting.amounts);
  const { overhead = {} } = spec;
  // The overhead has no limit, so that it only extends one.
  running.add(part === "requests" ? overhead : onlyOf(overhead, running.amounts));
  return { ...running.amounts, ...ofPod(spec, part) };
}

function amountsOf({ resources }: Container, part: Part): Amounts {
  return resources?.[part] ?? {};
}

function ofPod({ resources }: PodSpec, part: Part): Amounts {
  return Object.fromEntries(Object.entries(resources?.[part] ?? {}).filter(([name]) => POD_LEVEL.test(name)));
}

function onlyOf(amounts: Amounts, others: Amounts): Amounts {
  return Object.fromEntries(Object.entries(amounts).filter(([name]) => others[name] !== undefined));
}

/** Amounts that grow in place: a Pod has thousands of containers, and a container thousands of amounts. */
class Totals {
  readonly amounts: Record<string, Quantity> = {};

  add(added: Amounts): void {
    for (const [name, amount] of Object.entries(added)) {
      const known = this.amounts[name];
      this.amounts[name] = known === undefined ? amount : addQuantities(known, amount);
    }
  }

  /** Takes each amount, with what others add to it, where it is more than the known one. */
  raise(others: Amounts, { amounts: added }: Totals = new Totals()): void {
    for (const [name, amount] of Object.entries(others)) {
      const known = this.amounts[name];
      const extra = added[name];
      const wanted = extra === undefined ? amount : addQuantities(amount, extra);
      if (known === undefined || compareQuantities(known, wanted) < 0) this.amounts[name] = wanted;
    }
  }
}
