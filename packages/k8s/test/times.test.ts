import { readGoNanoseconds, formatGoDuration } from "@kubescaffold/platform";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { compareTimes, formatDuration, parseDuration } from "../src/times.ts";

// What Go 1.26 prints.
const PRINTED = [
  [0n, "0s"],
  [1n, "1ns"],
  [999n, "999ns"],
  [1000n, "1\u00b5s"],
  [1500n, "1.5\u00b5s"],
  [1500000n, "1.5ms"],
  [123456789n, "123.456789ms"],
  [999999999n, "999.999999ms"],
  [1500000000n, "1.5s"],
  [60000000000n, "1m0s"],
  [3661000000000n, "1h1m1s"],
  [36000500000000n, "10h0m0.5s"],
  [-1500000000n, "-1.5s"],
  [-1n, "-1ns"],
  [86400000000000n, "24h0m0s"],
  [9223372036854775807n, "2562047h47m16.854775807s"],
  [-9223372036854775808n, "-2562047h47m16.854775808s"],
] as const;

describe("durations", () => {
  it.each(PRINTED)("%s ns are printed as %s", (nanos, text) => {
    expect(formatGoDuration(nanos)).toBe(text);
    expect(readGoNanoseconds(text)).toBe(nanos);
  });

  it("each printed duration is read as what it was", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (nanos) => {
        expect(readGoNanoseconds(formatGoDuration(nanos))).toBe(nanos);
      }),
    );
  });

  it("milliseconds are read and printed", () => {
    expect([parseDuration("1h30m"), parseDuration("-1.5s"), parseDuration("0")]).toEqual([5_400_000, -1500, 0]);
    expect([formatDuration(5_400_000), formatDuration(-1500), formatDuration(0.5)]).toEqual([
      "1h30m0s",
      "-1.5s",
      "500\u00b5s",
    ]);
  });

  it("another text is an error with the message of Go", () => {
    expect(() => parseDuration("5 minutes")).toThrow('time: unknown unit " minutes" in duration "5 minutes"');
    expect(() => parseDuration("10")).toThrow('time: missing unit in duration "10"');
    for (const ms of [Number.NaN, Number.POSITIVE_INFINITY, 2 ** 63])
      expect(() => formatDuration(ms)).toThrow(expect.objectContaining({ code: "DURATION_BAD_FORMAT" }));
  });
});

describe("times", () => {
  it.each([
    ["2026-01-31T12:00:00Z", "2026-01-31T12:00:01Z", -1],
    ["2026-01-31T12:00:00Z", "2026-01-31T13:00:00+01:00", 0],
    ["2026-01-31T12:00:00.000002Z", "2026-01-31T12:00:00.000001Z", 1],
    ["2026-01-31T12:00:00.1Z", "2026-01-31T12:00:00.100000Z", 0],
    ["1969-12-31T23:59:59.5Z", "1970-01-01T00:00:00Z", -1],
  ])("%s compared with %s is %i", (left, right, expected) => {
    expect(compareTimes(left, right)).toBe(expected);
  });

  it("another text is an error", () => {
    expect(() => compareTimes("yesterday", "2026-01-31T12:00:00Z")).toThrow('cannot read "yesterday" as a time');
  });
});
