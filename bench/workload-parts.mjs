// Parts of the workloads of both benchmarks with a control plane; without imports, since the processes that use them are measured.

/** The text of a ConfigMap of about 3 KB. */
export const TEXT_OF_3_KB = "0123456789abcdef".repeat(180);

/** Returns the name of an object, in the order of the numbers. */
export function objectName(index) {
  return `object-${String(index).padStart(7, "0")}`;
}

/** Does work for each number below a count, so many at a time. */
export async function inFlight(count, concurrency, work) {
  let next = 0;
  const workSome = async () => {
    while (next < count) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, workSome));
}

/** Returns a percentile of values: the lowest value that so many percent do not exceed. */
export function percentile(values, percent) {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil((sorted.length * percent) / 100) - 1)];
}
