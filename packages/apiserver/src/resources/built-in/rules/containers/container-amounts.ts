import { addQuantities, compareQuantities } from "@kubescaffold/k8s";

import type { MutableJsonObject } from "../../../../storage/api-object.ts";
import { objectIn, objectsIn, textOf } from "../../../fields.ts";

/** Quantities by the names of resources. */
export type Amounts = ReadonlyMap<string, string>;

/**
 * Returns the requests or limits of all containers of a Pod.
 *
 * Containers run beside one another and beside the sidecars; an init container runs beside the sidecars before it.
 */
export function totalOf(spec: MutableJsonObject, part: "requests" | "limits"): Amounts {
  const running = objectsIn(spec, "containers").reduce<Amounts>(
    (sum, each) => added(sum, amountsOf(each, part)),
    new Map(),
  );
  let [sidecars, starting]: readonly [Amounts, Amounts] = [new Map(), new Map()];
  for (const container of objectsIn(spec, "initContainers")) {
    const amounts = amountsOf(container, part);
    if (container["restartPolicy"] === "Always") {
      sidecars = added(sidecars, amounts);
      starting = larger(starting, sidecars);
    } else {
      starting = larger(starting, added(sidecars, amounts));
    }
  }
  return larger(added(running, sidecars), starting);
}

/** Returns the requests or limits of one container. */
export function amountsOf(container: MutableJsonObject, part: "requests" | "limits"): Amounts {
  const amounts = objectIn(objectIn(container, "resources"), part) ?? {};
  return new Map(Object.entries(amounts).map(([name, amount]) => [name, textOf(amount)]));
}

function added(left: Amounts, right: Amounts): Amounts {
  const sums = [...right].map(([name, amount]): readonly [string, string] => [
    name,
    addQuantities(left.get(name) ?? "0", amount),
  ]);
  return new Map([...left, ...sums]);
}

function larger(left: Amounts, right: Amounts): Amounts {
  const others = [...right].filter(([name, amount]) => {
    const present = left.get(name);
    return present === undefined || compareQuantities(amount, present) > 0;
  });
  return new Map([...left, ...others]);
}
