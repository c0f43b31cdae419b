import { readdirSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { HOSTILE_VALUES } from "../../packages/schema/test/hostile/values.ts";
import { readSource, ROOT } from "../architecture/source-files.ts";
import { ENDLESS_ANSWERS, HOSTILE_ANSWERS } from "../support/hostile-answers.ts";
import { LANGUAGES } from "../support/other-clients.ts";
import { functionsOfValues } from "./values/functions-of-values.ts";

const PAGE = "docs/verification/hostile-input.md";
const ROWS = "packages/envtest/test/conformance/recorded";

const packages = readdirSync(path.join(ROOT, "packages")).map((name) => `packages/${name}/src`);

/** The counts of the page's table, by the first cell. */
const COUNTS: Readonly<Record<string, () => number>> = {
  // Each change may add one.
  "exported functions that take values of JSON, in hundreds": () =>
    Math.floor(["src", ...packages].reduce((sum, folder) => sum + functionsOfValues(folder).length, 0) / 100) * 100,
  "kinds of deep, wide, and long values for each": () => Object.keys(HOSTILE_VALUES).length,
  "HTTP answers for each client of these packages": () => HOSTILE_ANSWERS.length + ENDLESS_ANSWERS.length,
  "answers of admission webhooks": () => stepsOf([703, 704, 743, 746]),
  "changes by mutating webhooks, and what becomes of them": () => stepsOf([705]),
  "answers of conversion webhooks": () => stepsOf([711, 712, 741, 742, 745]),
  "metadata from conversion webhooks": () => stepsOf([708, 709, 710]),
  "requests beside an object that a conversion webhook fails to convert": () => stepsOf([747, 748, 749]),
  "bodies for resources without storage, and others of another kind": () => stepsOf([600, 601, 602, 603, 604]),
  "languages beside Go whose clients are used": () => LANGUAGES.length,
};

function stepsOf(rows: readonly number[]): number {
  return rows.reduce(
    (sum, row) => sum + (JSON.parse(readSource(`${ROWS}/row-${String(row)}.json`)) as readonly unknown[]).length,
    0,
  );
}

describe("the table of hostile input", () => {
  const cells = [...readSource(PAGE).matchAll(/^\| (?<what>[^|]+?) \| (?<count>[\d,]+) \|/gmu)].map(({ groups }) => [
    groups?.["what"],
    Number(groups?.["count"]?.replaceAll(",", "")),
  ]);

  it("has the counts of the corpora", () => {
    expect(cells).toEqual(Object.entries(COUNTS).map(([what, count]) => [what, count()]));
  });

  it("names tests that exist", () => {
    const named = [...readSource(PAGE).matchAll(/`(?<file>(?:packages|test)\/[^`*]+\.ts)`/gu)];
    expect(named.length).toBeGreaterThan(0);
    for (const { groups } of named) expect(() => readSource(groups?.["file"] as string)).not.toThrow();
  });
});
