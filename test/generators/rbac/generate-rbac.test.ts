import { describe, expect, it } from "vitest";

import { renderDiagnostics } from "../../../src/diagnostics/diagnostic.ts";
import { runGenerators } from "../../../src/generators/run-generators.ts";
import { goldenCases, withoutVersion } from "../golden-cases.ts";

describe("the rbac generator", () => {
  it.each(goldenCases("rbac", ["rbac:roleName=manager-role"]))(
    "writes what controller-gen writes for $name",
    async (each) => {
      const result = await runGenerators({
        root: each.input,
        arguments: [...each.arguments, "paths=./...", "output:stdout"],
      });
      expect(renderDiagnostics(result.diagnostics)).toBe(each.warnings.trimEnd());
      expect(withoutVersion(result.stdout)).toBe(each.expected);
    },
  );
});
