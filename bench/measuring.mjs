// Runs what is compared in turn, so that both meet the same machine, and says how the medians relate.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

/** Runs each subject once in every round, after rounds that do not count; returns the durations in milliseconds, one list for each subject. */
export async function measureInTurn(subjects, { rounds, warmUps = 2 }) {
  const durations = subjects.map(() => []);
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index, subject] of subjects.entries()) {
      const elapsedMs = await subject();
      if (round >= 0) durations[index].push(elapsedMs);
    }
  }
  return durations;
}

/** Returns how long a program takes from its start to its end. Throws when it fails. */
export function timeProgram(command, args, options = {}) {
  const start = performance.now();
  const { status, error, stderr } = spawnSync(command, args, { encoding: "utf8", stdio: "pipe", ...options });
  const elapsedMs = performance.now() - start;
  if (status !== 0)
    throw new Error(`${[command, ...args].join(" ")} did not succeed: ${error?.message ?? stderr.trim()}`);
  return elapsedMs;
}

/** Returns how long a program takes and how much memory it has at most, in MiB; without GNU time the memory is not known. */
export function timeAndMemory(command, args, options = {}) {
  if (!existsSync(GNU_TIME)) return { elapsedMs: timeProgram(command, args, options), memory: undefined };
  const start = performance.now();
  const { status, error, stderr } = spawnSync(GNU_TIME, ["-f", "%M", command, ...args], {
    encoding: "utf8",
    stdio: "pipe",
    ...options,
  });
  const elapsedMs = performance.now() - start;
  if (status !== 0)
    throw new Error(`${[command, ...args].join(" ")} did not succeed: ${error?.message ?? stderr.trim()}`);
  return { elapsedMs, memory: Number(stderr.trim().split("\n").at(-1)) / 1024 };
}

const GNU_TIME = "/usr/bin/time";

/** A median at or below `maxRatio` times the reference's, and at or below `max` in the row's unit, where they are given, is what was promised. */
export function rowOf({ title, ours, reference, maxRatio, maxMs, max = maxMs, unit = "ms" }) {
  const median = quantile(ours, 0.5);
  const referenceMedian = reference === undefined ? undefined : quantile(reference, 0.5);
  const ratio = referenceMedian === undefined ? undefined : median / referenceMedian;
  const isKept =
    (maxRatio === undefined || ratio === undefined || ratio <= maxRatio) && (max === undefined || median <= max);
  return {
    title,
    unit,
    median,
    fastest: Math.min(...ours),
    p90: quantile(ours, 0.9),
    runs: ours.length,
    referenceMedian,
    ratio,
    target: describeTarget({ maxRatio, max, unit }),
    isKept,
  };
}

/** Prints rows as a table in Markdown. */
export function printTable(rows) {
  console.log("| What | Median | Fastest | p90 | Runs | Reference | Ratio | Target | Kept |");
  console.log("|---|---|---|---|---|---|---|---|---|");
  for (const row of rows) {
    const cells = [
      row.title,
      quantity(row.median, row),
      quantity(row.fastest, row),
      quantity(row.p90, row),
      row.runs,
      row.referenceMedian === undefined ? "not measured" : quantity(row.referenceMedian, row),
      row.ratio === undefined ? "–" : row.ratio.toFixed(2),
      row.target,
      row.isKept ? "yes" : "NO",
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Measures and prints when the module is the program that was started. */
export async function printWhenMain(moduleUrl, measure) {
  if (process.argv[1] === fileURLToPath(moduleUrl)) printTable(await measure());
}

/** Says that something is not measured, and why, in a way that nobody overlooks. */
export function skipLoudly(what, why) {
  console.error(`\nSKIPPED: ${what} was NOT measured: ${why}\n`);
}

/** Returns a quantile of values, interpolated. */
export function quantile(values, share) {
  const sorted = values.toSorted((left, right) => left - right);
  const position = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(position)], sorted[Math.ceil(position)]];
  return low + (high - low) * (position % 1);
}

function describeTarget({ maxRatio, max, unit }) {
  return [
    ...(max === undefined ? [] : [`≤ ${String(max)} ${unit}`]),
    ...(maxRatio === undefined ? [] : [`≤ ${String(maxRatio)} ×`]),
  ].join(", ");
}

function quantity(value, { unit }) {
  if (unit === "packages") return `${String(value)} ${unit}`;
  return `${value.toFixed(value < 1000 ? 1 : 0)} ${unit}`;
}
