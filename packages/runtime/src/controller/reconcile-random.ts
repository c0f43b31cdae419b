import { seededRandom } from "@kubescaffold/platform";

import { itemKey } from "../workqueue/item-key.ts";

/** Returns the source of random numbers for each reconcile of a controller with a seed. */
export function reconcileRandom(controller: string, seed: string | number): (request: unknown) => () => number {
  const counts = new Map<string, number>();
  // By request, so that other objects whose reconciles come in between change nothing.
  return (request) => {
    const key = `${controller} ${String(itemKey(request))}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return seededRandom(seed, `${key} ${String(count)}`);
  };
}
