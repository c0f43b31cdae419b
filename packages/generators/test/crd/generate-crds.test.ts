import path from "node:path";

import { describe, expect, it } from "vitest";

import { RELAXABLE_CODES } from "../../src/checks/relax.ts";
import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import {
  GOLDEN_KUBERNETES,
  goldenCases,
  invalidCases,
  withoutVersion,
  withRelaxedChecks,
} from "../support/golden-cases.ts";

describe("the crd generator", () => {
  it.each(goldenCases("crd", ["crd"]))("writes what controller-gen writes for $name", async (each) => {
    const result = await runGenerators({
      root: each.input,
      kubernetesVersion: GOLDEN_KUBERNETES,
      arguments: [...withRelaxedChecks(each.arguments, RELAXABLE_CODES), "paths=./...", "output:stdout"],
    });
    const findings = result.diagnostics.filter(({ code }) => !RELAXABLE_CODES.includes(code));
    expect(renderDiagnostics(findings)).toBe(each.warnings.trimEnd());
    expect(withoutVersion(result.stdout)).toBe(each.expected);
  });

  it.each(invalidCases("crd"))("refuses $name with a position and a hint", async ({ folder, arguments: words }) => {
    const result = await runGenerators({
      root: path.join(folder, "input"),
      arguments: [...words, "paths=./...", "output:stdout"],
    });
    expect(result.stdout).toBe("");
    await expect(`${renderDiagnostics(result.diagnostics)}\n`).toMatchFileSnapshot(path.join(folder, "expected.txt"));
  });
});
