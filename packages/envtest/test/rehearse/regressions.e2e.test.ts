import { describe, expect, it } from "vitest";

import { REGRESSIONS } from "./regressions.ts";
import { expectedOf, findingsOf, rehearseRegression } from "./rehearse-regression.ts";

const LIVENESS_MS = 300_000;

describe("rehearseUpgrade", () => {
  it.for(REGRESSIONS)("judges: $name", { timeout: LIVENESS_MS }, async (regression) => {
    const start = performance.now();
    const report = await rehearseRegression(regression);
    const found = report.findings.map(({ oracle, step, message }) => `  ${oracle} (${step}): ${message}\n`).join("");
    process.stderr.write(`${regression.name}: ${((performance.now() - start) / 1000).toFixed(1)} s\n${found}`);
    expect(findingsOf(report)).toEqual(expectedOf(regression));
  });
});
