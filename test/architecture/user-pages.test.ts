/** Seeds and measurements are in docs/verification and bench/README.md: a reader of the other pages uses the product, and does not test it. */
import { describe, expect, it } from "vitest";

import { listFiles, readSource } from "./source-files.ts";

const FOLDERS = ["start", "concepts", "tutorials", "guides", "reference", "migrate"];

const RULES: readonly (readonly [name: string, pattern: RegExp, sample: string])[] = [
  ["a seed of a run", /\bseeds? \d/u, "the differences that seeds 1 to 250 found"],
  [
    "a random test of this repository",
    /\bnpm run (?:bench|chaos|differential|fuzz|kills|simulate|soak|stress|test:go-suites|test:oracle)\b|\bfuzz-\w+\.mjs\b/u,
    "`npm run fuzz:validation` compares both servers",
  ],
  ["a machine", /\b(?:two|2|four|4) (?:busy |idle |quiet )?cores\b|\bload (?:of )?\d/u, "on a machine with two cores"],
  ["a measurement", /\d (?:µs\b|ms of CPU|[a-z]+ per second of CPU)/u, "0.95 µs with all metrics"],
];

const PAGES = FOLDERS.flatMap((folder) => listFiles(`docs/${folder}`)).filter((file) => file.endsWith(".md"));

describe("the pages for users", () => {
  it.each(RULES)("do not have %s", (_, pattern) => {
    expect(PAGES.length).toBeGreaterThan(100);
    expect(PAGES.flatMap((page) => linesWith(page, pattern))).toEqual([]);
  });

  it.each(RULES)("are searched for %s", (_, pattern, sample) => {
    expect(sample).toMatch(pattern);
  });
});

function linesWith(page: string, pattern: RegExp): readonly string[] {
  return readSource(page)
    .split("\n")
    .flatMap((line, index) =>
      pattern.test(line) ? [`${page}:${String(index + 1)}: ${line.trim().slice(0, 160)}`] : [],
    );
}
