import path from "node:path";

import { verifyOperator } from "@kubescaffold/envtest/verify";
import { describe, expect, it } from "vitest";

const EXAMPLES = path.join(import.meta.dirname, "../../../../examples");
const BUDGET_MS = 600_000;

describe("verifyOperator of a project", () => {
  it.each(["memcached"])("finds nothing in examples/%s", { timeout: BUDGET_MS + 120_000 }, async (name) => {
    const report = await verifyOperator({ project: path.join(EXAMPLES, name), timeMs: BUDGET_MS });
    expect(report).toMatchObject({ verdict: "clean", findings: [], missing: [] });
    expect(report.schedules.explored).toBe(report.schedules.planned);
  });
});
