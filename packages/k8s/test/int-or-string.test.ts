import { describe, expect, it } from "vitest";

import { scaledValue } from "../src/int-or-string.ts";

describe("scaledValue", () => {
  it("returns a number as it is", () => {
    expect(scaledValue(3, { total: 10, rounding: "up" })).toBe(3);
  });

  it("rounds the share of a percentage up or down", () => {
    expect(scaledValue("25%", { total: 10, rounding: "up" })).toBe(3);
    expect(scaledValue("25%", { total: 10, rounding: "down" })).toBe(2);
    expect(scaledValue("0%", { total: 10, rounding: "up" })).toBe(0);
    expect(scaledValue("110%", { total: 10, rounding: "down" })).toBe(11);
  });

  it.each(["", "25", "x%", "2.5%", "%"])("refuses %j", (value) => {
    expect(() => scaledValue(value, { total: 10, rounding: "up" })).toThrow(
      expect.objectContaining({ code: "INT_OR_STRING_BAD_PERCENT" }),
    );
  });
});
