import { readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { differingCases, withoutVersion } from "../support/golden-cases.ts";
import { KNOWN_DIFFERENCES } from "./known-differences.ts";

const PAGE = readFileSync(new URL("../../../../docs/verification/generator-differences.md", import.meta.url), "utf8");

const rows = [...PAGE.matchAll(/^\| `([a-z0-9-]+)` \|/gmu)].map(([, row = ""]) => row);

const cases = ["crd", "rbac", "webhook"].flatMap((generator) => differingCases(generator));

describe("the table of differences", () => {
  it("has a name for every row", () => {
    expect(rows.filter((row, index) => rows.indexOf(row) !== index)).toEqual([]);
    expect(rows.length).toBeGreaterThan(40);
  });

  it("has every difference that random packages may show", () => {
    expect(KNOWN_DIFFERENCES.map(([row]) => row).filter((row) => !rows.includes(row))).toEqual([]);
  });

  it("has every difference that a case shows", () => {
    expect(cases.map(({ row }) => row).filter((row) => !rows.includes(row))).toEqual([]);
  });

  it.each(cases)("is true of $row", async ({ folder, arguments: words, upstream }) => {
    const result = await runGenerators({
      root: path.join(folder, "input"),
      arguments: [...words, "paths=./...", "output:stdout"],
    });
    const said = result.diagnostics.length === 0 ? "" : `${renderDiagnostics(result.diagnostics)}\n`;
    const ours = said + withoutVersion(result.stdout);
    await expect(ours).toMatchFileSnapshot(path.join(folder, "expected.txt"));
    expect(ours).not.toBe(withoutVersion(upstream));
  });
});
