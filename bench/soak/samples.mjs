// Samples of a soak as CSV, and what they say about memory.

/** The columns of the CSV file, in order. */
export const COLUMNS = [
  "seconds",
  "rssMiB",
  "heapMiB",
  "serverRssMiB",
  "serverHeapMiB",
  "delayP50Ms",
  "delayP99Ms",
  "delayMaxMs",
  "queueDepth",
  "writes",
  "reconciles",
  "errors",
  "latencyP50Ms",
  "latencyP99Ms",
  "latencyMaxMs",
];

/** Prints samples as CSV with a header. */
export function toCsv(samples) {
  const rows = samples.map((sample) => COLUMNS.map((column) => format(sample[column])).join(","));
  return `${[COLUMNS.join(","), ...rows].join("\n")}\n`;
}

/** Returns a percentile of sorted values; 0 without values. */
export function percentile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Returns the growth of a column within the last half of the samples: the median of the last quarter beside that of the quarter before. */
export function growthOf(samples, column) {
  const quarter = Math.floor(samples.length / 4);
  if (quarter === 0) return 0;
  const values = samples.map((sample) => sample[column]);
  const [before, after] = [median(values.slice(-2 * quarter, -quarter)), median(values.slice(-quarter))];
  return before === 0 ? 0 : after / before - 1;
}

/** Returns the median of values. */
export function median(values) {
  return percentile(
    values.toSorted((left, right) => left - right),
    0.5,
  );
}

function format(value) {
  return Number.isInteger(value) ? String(value) : value.toFixed(2);
}
