import { describe, expect, it } from "vitest";

import { goDurationProblem, parseGoDuration, readGoNanoseconds } from "../src/go-duration.ts";

const SHOWN: Readonly<Record<number, string>> = {
  0x22: String.raw`\"`,
  0xc3: String.raw`\xc3`,
  0xa9: String.raw`\xa9`,
};

describe("durations of Go", () => {
  it.each([
    ["0", 0n],
    ["+0", 0n],
    ["5s", 5_000_000_000n],
    ["1h30m", 5_400_000_000_000n],
    ["-1.5s", -1_500_000_000n],
    [".5s", 500_000_000n],
    ["1.s", 1_000_000_000n],
    ["10.5s4m", 250_500_000_000n],
    ["1us", 1000n],
    ["1\u00b5s1\u03bcs", 2000n],
    ["3ns", 3n],
    ["0.9223372036854775807h", 3_320_413_933_267n],
    ["9223372036854775807ns", 2n ** 63n - 1n],
    ["-9223372036854775808ns", -(2n ** 63n)],
  ])("%s has %s nanoseconds", (text, nanos) => {
    expect(readGoNanoseconds(text)).toBe(nanos);
  });

  it.each([
    ["", "invalid duration"],
    ["-", "invalid duration"],
    ["s", "invalid duration"],
    [".s", "invalid duration"],
    ["-.s", "invalid duration"],
    ["3", "missing unit in duration"],
    ["1h3", "missing unit in duration"],
    ["1d", 'unknown unit "d" in duration'],
    ["1 s", 'unknown unit " s" in duration'],
    ["1toString", 'unknown unit "toString" in duration'],
    ["9223372036854775808ns", "invalid duration"],
    ["9223372036854775.808us", "invalid duration"],
    ["3000000h", "invalid duration"],
    ["1\u00e9", String.raw`unknown unit "\xc3\xa9" in duration`],
    ['1"', String.raw`unknown unit "\"" in duration`],
  ])("%s is none, as Go says", (text, problem) => {
    const shown = [...Buffer.from(text, "utf8")].map((byte) => SHOWN[byte] ?? String.fromCodePoint(byte)).join("");
    expect([readGoNanoseconds(text), goDurationProblem(text)]).toEqual([undefined, `time: ${problem} "${shown}"`]);
  });

  it("numbers of any length are read in linear time", () => {
    expect(readGoNanoseconds(`${"9".repeat(100_000)}s`)).toBeUndefined();
    expect(readGoNanoseconds(`${"0".repeat(100_000)}1.${"0".repeat(100_000)}s`)).toBe(1_000_000_000n);
  });

  it.each([
    ["60s", 60_000],
    ["1m30s", 90_000],
    ["500ms", 500],
    ["1.5h", 5_400_000],
    ["0", 0],
    ["1500us", 1.5],
    ["-1s", undefined],
    ["1m 30s", undefined],
    ["soon", undefined],
  ])("%s has %s milliseconds", (text, milliseconds) => {
    expect(parseGoDuration(text)).toBe(milliseconds);
  });
});
