import path from "node:path";

import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../src/run/run-generators.ts";
import { goldenCases, invalidCases, withoutVersion } from "../support/golden-cases.ts";

describe("the webhook generator", () => {
  it.each(goldenCases("webhook", ["webhook"]))("writes what controller-gen writes for $name", async (each) => {
    const result = await runGenerators({
      root: each.input,
      arguments: [...each.arguments, "paths=./...", "output:stdout"],
    });
    expect(renderDiagnostics(result.diagnostics)).toBe(each.warnings.trimEnd());
    expect(withoutVersion(result.stdout)).toBe(each.expected);
  });

  it.each(invalidCases("webhook"))("refuses $name with a position and a hint", async ({ folder, arguments: words }) => {
    const result = await runGenerators({
      root: path.join(folder, "input"),
      arguments: [...words, "paths=./...", "output:stdout"],
    });
    expect(result.stdout).toBe("");
    await expect(`${renderDiagnostics(result.diagnostics)}\n`).toMatchFileSnapshot(path.join(folder, "expected.txt"));
  });
});
