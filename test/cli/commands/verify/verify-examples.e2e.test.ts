import { readdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";

import { verifyOperator } from "@kubescaffold/envtest/verify";
import { describe, expect, it } from "vitest";

import { readSource } from "../../../architecture/source-files.ts";
import { EXAMPLES, exampleOperator } from "./example-operators.ts";

// More time explores more schedules.
const BUDGET_MS = Number(process.env["KUBESCAFFOLD_VERIFY_SECONDS"] ?? "60") * 1000;
const NAMES = readdirSync(EXAMPLES);

describe("verifyOperator of a project", () => {
  it("is described for each example", () => {
    const [, table = ""] = readSource("docs/guides/convergence.md").split("## Examples are clean");
    const rows = [...table.matchAll(/^\| \[(?<name>\w+)\]/gmu)].map(({ groups }) => groups?.["name"]);
    expect(rows).toEqual(NAMES);
  });

  it.each(NAMES)("finds nothing in examples/%s", { timeout: BUDGET_MS + 240_000 }, async (name) => {
    const example = exampleOperator(name);
    try {
      const report = await verifyOperator({
        project: path.join(EXAMPLES, name),
        timeMs: BUDGET_MS,
        ...example.options,
      });
      const { explored, planned } = report.schedules;
      console.info(`${name}: ${String(explored)} of ${String(planned)} schedules in ${String(report.durationMs)} ms`);
      console.info(report.notes.join("\n"));
      expect(report).toMatchObject({ verdict: "clean", findings: [], missing: [] });
      expect(explored).toBeGreaterThan(0);
    } finally {
      await example.stop();
    }
  });
});
