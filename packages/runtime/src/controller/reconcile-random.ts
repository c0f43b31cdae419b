import { seededRandom } from "@kubescaffold/platform";

/** Returns what gives each reconcile its random numbers: those of `Math.random` without a seed. */
export function reconcileRandom(
  controller: string,
  seed: string | number | undefined,
): (request: unknown) => () => number {
  if (seed === undefined) return () => Math.random;
  const counts = new Map<string, number>();
  // By request, so that other objects whose reconciles come in between change nothing.
  return (request) => {
    const key = `${controller} ${JSON.stringify(request)}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return seededRandom(seed, `${key} ${String(count)}`);
  };
}
