import { describe, expect, it } from "vitest";

import { addToTotal, type CostTotal, overBudget } from "../../../src/cel/rules/rule-budget.ts";

const factor = (of: bigint): string =>
  /factor of (\S+)/.exec(overBudget("a", "cost", { of, limit: 10_000_000n }).detail)?.[1] ?? "";

describe("the budget of rules", () => {
  it.each([
    [10_000_001n, "1.000000x"],
    [10_078_125n, "1.007812x"],
    [14_999_999n, "1.500000x"],
    [15_000_000n, "1.5x"],
    [22_500_000n, "2.2x"],
    [27_500_000n, "2.8x"],
    [1_000_000_000n, "100.0x"],
  ])("prints %s as %s, rounding ties to even", (cost, text) => {
    expect(factor(cost)).toBe(text);
  });

  it("gives no number beyond a hundredfold", () => {
    expect(overBudget("a", "cost", { of: 2n ** 64n - 1n, limit: 10_000_000n }).detail).toContain(
      "factor of more than 100x",
    );
  });

  it("names the four most expensive expressions, and none below a hundredth of the limit", () => {
    const total: CostTotal = { total: 0n, expensive: [] };
    [5n, 1n, 4n, 0n, 3n, 2n].forEach((millions) => addToTotal(total, String(millions), millions * 1_000_000n));
    expect(total.total).toBe(15_000_000n);
    expect(total.expensive.map(({ path }) => path)).toEqual(["5", "4", "3", "2"]);
  });

  it("stops at the largest number", () => {
    const total: CostTotal = { total: 2n ** 64n - 2n, expensive: [] };
    addToTotal(total, "a", 5n);
    expect(total.total).toBe(2n ** 64n - 1n);
  });
});
