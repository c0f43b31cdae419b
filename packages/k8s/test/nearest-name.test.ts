import { describe, expect, it } from "vitest";

import { nearestName } from "../src/nearest-name.ts";

describe("the nearest name", () => {
  it.each([
    ["initt", ["init", "edit"], "init"],
    ["--groop", ["--group", "--force"], "--group"],
    ["craete", ["create", "edit"], "create"],
    ["frobnicate", ["create", "edit"], undefined],
    ["x", [], undefined],
  ])("of %s among %j is %s", (typed, known, nearest) => {
    expect(nearestName(typed, known)).toBe(nearest);
  });
});
