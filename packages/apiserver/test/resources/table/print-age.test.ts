import { describe, expect, it } from "vitest";

import { printAge } from "../../../src/resources/table/columns.ts";

describe("printAge", () => {
  it("says when there is no moment, and when it cannot be read", () => {
    expect([printAge(undefined, 0), printAge("x", 0)]).toEqual(["<unknown>", "<invalid>"]);
  });

  it("prints the time since a moment", () => {
    expect(printAge("2026-01-01T00:00:00Z", Date.parse("2026-01-03T01:00:00Z"))).toBe("2d1h");
  });
});
