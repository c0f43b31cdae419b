// The ranges of seeds whose random tests have passed, by test and minor version: scripts/random-ranges.json.
//
// `--until <count>` of `npm run differential` and `npm run fuzz:validation` runs one range after the other, from the first seed that is not recorded,
// until the ranges of the selected minor version have that many operations or objects. A range is recorded once it has passed, so that
// an interrupted run continues where it was.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const FILE = fileURLToPath(new URL("random-ranges.json", import.meta.url));

/** The size of a range, which is one run of a test: its seeds, and the operations or objects of each seed. */
export const RANGES = {
  differential: { seeds: 25, perSeed: 400 },
  validation: { seeds: 1, perSeed: 5000 },
};

/** Returns the first seed after the recorded ranges, which start with 1. */
export function nextSeed(recorded, { test, minor }) {
  return Math.max(0, ...rangesOf(recorded, { test, minor }).map(({ to }) => to)) + 1;
}

/** Returns how many operations or objects the recorded ranges have. */
export function countOf(recorded, { test, minor }) {
  return rangesOf(recorded, { test, minor }).reduce((sum, { count }) => sum + count, 0);
}

/** Returns the ranges with one that has passed; it extends the range that it follows. */
export function withRange(recorded, { test, minor, from }) {
  const { seeds, perSeed } = RANGES[test];
  const range = { test, minor, from, to: from + seeds - 1, count: seeds * perSeed };
  const before = rangesOf(recorded, range).find(({ to }) => to === from - 1);
  const merged = before === undefined ? range : { ...range, from: before.from, count: before.count + range.count };
  return [...recorded.filter((each) => each !== before), merged].toSorted(compareRanges);
}

/** Runs ranges until the recorded ones have a count; `run` returns the status of a test with a first seed and a count. Returns the status of the last one. */
export function runUntil(wanted, { test, minor }, run) {
  const { seeds, perSeed } = RANGES[test];
  for (;;) {
    const recorded = JSON.parse(readFileSync(FILE, "utf8"));
    const count = countOf(recorded, { test, minor });
    console.log(`${test}: ${String(count)} of ${String(wanted)} have passed on ${minor}`);
    if (count >= wanted) return 0;
    const from = nextSeed(recorded, { test, minor });
    const status = run({ seed: String(from), count: String(seeds * perSeed) });
    if (status !== 0) return status;
    writeFileSync(FILE, `${JSON.stringify(withRange(recorded, { test, minor, from }), undefined, 2)}\n`);
  }
}

function rangesOf(recorded, { test, minor }) {
  return recorded.filter((range) => range.test === test && range.minor === minor);
}

function compareRanges(left, right) {
  const [own, other] = [left, right].map(({ test, minor }) => `${test} ${minor}`);
  return own === other ? left.from - right.from : own < other ? -1 : 1;
}
