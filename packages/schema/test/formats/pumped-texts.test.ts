import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { checkerOf } from "../../src/formats/string-formats.ts";
import { SAMPLED_FORMATS, samplesOf } from "./format-samples.ts";

const PUMPED_LENGTH = 100_000;
// A linear check of such a text takes at most some 20 ms; an exponential or a cubic one would not return at all, a quadratic one after seconds.
const LONGEST_MS = 1000;

describe("a check of a long text of repeated pieces takes linear time", () => {
  it.each(SAMPLED_FORMATS)("%s", (format) => {
    const isValid = checkerOf(format) ?? (() => true);
    const samples = samplesOf(format);
    const piece = fc.oneof(
      fc.constantFrom(...samples.map((sample) => sample.slice(0, 8))),
      fc.string({ maxLength: 4 }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...samples), piece, fc.constantFrom(...samples), (before, pumped, after) => {
        const text = before + pumped.repeat(Math.ceil(PUMPED_LENGTH / Math.max(pumped.length, 1))) + after;
        const start = performance.now();
        isValid(text);
        expect(performance.now() - start).toBeLessThan(LONGEST_MS);
      }),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe("texts that made former checks slow", () => {
  it.each([
    ["email", `${"a".repeat(50_000)}!`],
    ["email", `${'"a" '.repeat(20_000)}<`],
    ["email", "(".repeat(PUMPED_LENGTH)],
    ["email", `g: ${"a@b,".repeat(20_000)}`],
    ["email", `a@b (${"=?x?q?a ".repeat(20_000)})`],
    ["email", `a@[${"[".repeat(PUMPED_LENGTH)}`],
    ["duration", `${"1".repeat(PUMPED_LENGTH)}x`],
    ["duration", `${"1 ".repeat(PUMPED_LENGTH)}x`],
    ["duration", `${"1h".repeat(50_000)}x`],
    ["duration", `0.${"0".repeat(PUMPED_LENGTH)}1h`],
    ["uri", `http://${"@".repeat(PUMPED_LENGTH)}[`],
    ["ipv6", ":".repeat(PUMPED_LENGTH)],
  ])("are checked by %s in linear time: case %#", (format, text) => {
    const start = performance.now();
    checkerOf(format)?.(text);
    expect(performance.now() - start).toBeLessThan(LONGEST_MS);
  });
});
