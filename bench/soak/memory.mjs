import process from "node:process";

/** Returns the memory of this process in MiB after a garbage collection, which needs the flag --expose-gc. */
export function memory() {
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  return { rssMiB: rss / 2 ** 20, heapMiB: heapUsed / 2 ** 20 };
}
