import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

import { checkerOf } from "../../src/formats/string-formats.ts";
import { SAMPLED_FORMATS, samplesOf } from "./format-samples.ts";

const recorded = JSON.parse(readFileSync(new URL("../recorded/formats.json", import.meta.url), "utf8")) as Readonly<
  Record<string, string>
>;

describe("the verdict of kube-openapi on samples of the format", () => {
  it.each(SAMPLED_FORMATS)("%s is the verdict here", (format) => {
    const samples = samplesOf(format);
    const isValid = checkerOf(format);
    const wrong = samples.filter((sample, index) => isValid?.(sample) !== (recorded[format]?.[index] === "1"));
    expect(recorded[format]).toHaveLength(samples.length);
    expect(wrong).toEqual([]);
  });
});
