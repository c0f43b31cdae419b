import { describe, expect, it } from "vitest";

import { printAge, printDuration } from "../../../src/resources/table/columns.ts";

describe("printDuration", () => {
  it.each([
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [150, "2m30s"],
    [600, "10m"],
    [3 * 3600 - 1, "179m"],
    [3 * 3600, "3h"],
    [3 * 3600 + 60, "3h1m"],
    [8 * 3600, "8h"],
    [48 * 3600, "2d"],
    [49 * 3600, "2d1h"],
    [8 * 86_400, "8d"],
    [2 * 365 * 86_400, "2y"],
    [3 * 365 * 86_400 + 86_400, "3y1d"],
    [9 * 365 * 86_400, "9y"],
    [-1, "0s"],
    [-5, "<invalid>"],
  ])("prints %i seconds as %s", (seconds, expected) => {
    expect(printDuration(seconds * 1000)).toBe(expected);
  });
});

describe("printAge", () => {
  it("says when there is no moment, and when it cannot be read", () => {
    expect([printAge(undefined, 0), printAge("x", 0)]).toEqual(["<unknown>", "<invalid>"]);
  });
});
