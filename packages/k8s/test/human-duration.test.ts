import { describe, expect, it } from "vitest";

import { humanDuration, shortHumanDuration } from "../src/human-duration.ts";

const HOUR = 3600;
const DAY = 24 * HOUR;

// What upstream's functions return for these seconds.
describe("humanDuration", () => {
  it.each([
    [0, "0s"],
    [119, "119s"],
    [120, "2m"],
    [150, "2m30s"],
    [599, "9m59s"],
    [600, "10m"],
    [3 * HOUR - 1, "179m"],
    [3 * HOUR, "3h"],
    [3 * HOUR + 60, "3h1m"],
    [8 * HOUR, "8h"],
    [48 * HOUR, "2d"],
    [49 * HOUR, "2d1h"],
    [8 * DAY, "8d"],
    [2 * 365 * DAY, "2y"],
    [3 * 365 * DAY + DAY, "3y1d"],
    [8 * 365 * DAY - 1, "7y364d"],
    [9 * 365 * DAY, "9y"],
    [-1, "0s"],
    [-5, "<invalid>"],
  ])("prints %i seconds as %s", (seconds, expected) => {
    expect(humanDuration(seconds * 1000)).toBe(expected);
  });
});

describe("shortHumanDuration", () => {
  it.each([
    [-5, "<invalid>"],
    [-1, "0s"],
    [59, "59s"],
    [60, "1m"],
    [HOUR - 1, "59m"],
    [HOUR, "1h"],
    [DAY - 1, "23h"],
    [DAY, "1d"],
    [365 * DAY - 1, "364d"],
    [365 * DAY, "1y"],
    [800 * DAY, "2y"],
  ])("prints %i seconds as %s", (seconds, expected) => {
    expect(shortHumanDuration(seconds * 1000)).toBe(expected);
  });
});
