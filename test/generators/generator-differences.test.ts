import { readFileSync } from "node:fs";

import { expect, it } from "vitest";

import { KNOWN_DIFFERENCES } from "../oracle/known-differences.ts";

const PAGE = readFileSync(new URL("../../docs/generator-differences.md", import.meta.url), "utf8");

const rows = [...PAGE.matchAll(/^\| `([a-z0-9-]+)` \|/gmu)].map(([, row = ""]) => row);

it("every difference has a name of its own", () => {
  expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
  expect(rows.length).toBeGreaterThan(40);
});

it("every difference that random packages may show stands in the table", () => {
  expect(KNOWN_DIFFERENCES.map(([row]) => row).filter((row) => !rows.includes(row))).toEqual([]);
});
