import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type MetricSample, type ParsedMetrics, parseMetrics } from "../../../src/server/cluster/metrics-text.ts";

function samplesOf(text: string): readonly (readonly [string, Readonly<Record<string, string>>, number])[] {
  const parsed = parseMetrics(text);
  if (parsed.kind !== "metrics") throw new Error(`the metrics are ${parsed.kind}`);
  return parsed.samples.map(({ name, labels, value }) => [name, Object.fromEntries(labels), value]);
}

describe("parseMetrics", () => {
  it("reads names, labels, and values, and skips comments, empty lines, and times", () => {
    const text = [
      "# HELP requests_total Requests",
      "# TYPE requests_total counter",
      'requests_total{code="200",method="GET"} 12 1395066363000',
      "",
      "up 1",
      '  spaced { a = "b" , } 2.5e3  ',
      "a:b:rate 0.25",
    ].join("\n");
    expect(samplesOf(text)).toEqual([
      ["requests_total", { code: "200", method: "GET" }, 12],
      ["up", {}, 1],
      ["spaced", { a: "b" }, 2500],
      ["a:b:rate", {}, 0.25],
    ]);
  });

  it("reads escaped quotes, backslashes, and line breaks of labels", () => {
    expect(samplesOf(String.raw`a{path="C:\\dir",text="say \"hi\"\nbye"} 1`)).toEqual([
      ["a", { path: String.raw`C:\dir`, text: 'say "hi"\nbye' }, 1],
    ]);
  });

  it("reads infinite values and NaN", () => {
    expect(samplesOf("a +Inf\nb -Inf\nc NaN\nd Inf")).toEqual([
      ["a", {}, Number.POSITIVE_INFINITY],
      ["b", {}, Number.NEGATIVE_INFINITY],
      ["c", {}, Number.NaN],
      ["d", {}, Number.POSITIVE_INFINITY],
    ]);
  });

  it("accepts a label that is a member of all objects", () => {
    const parsed = parseMetrics('a{__proto__="x",constructor="y"} 1');
    expect(parsed.kind === "metrics" ? [...(parsed.samples[0]?.labels ?? [])] : []).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ]);
  });

  it.each([
    "<!doctype html>",
    "a",
    "a one",
    "a 1 2 3",
    "a 1 soon",
    "1a 1",
    "a{b} 1",
    'a{b="c} 1',
    'a{b="c"',
    'a{b="c" d="e"} 1',
    String.raw`a{b="\x"} 1`,
    "a 0x10",
  ])("names the line of %s", (line) => {
    expect(parseMetrics(`up 1\n${line}\nup 2`)).toEqual({ kind: "malformed", line: 2 } satisfies ParsedMetrics);
  });

  it("reads what it is printed as, for all labels and values", () => {
    const name = fc.stringMatching(/^[A-Z_a-z:][\w:]{0,10}$/u);
    const label = fc.stringMatching(/^[A-Z_a-z]\w{0,10}$/u);
    const sample = fc.record({
      name,
      labels: fc.array(fc.tuple(label, fc.string({ unit: "grapheme" })), { maxLength: 4 }),
      value: fc.double(),
    });
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 5 }), (wanted) => {
        const expected = wanted.map((each): MetricSample => ({ ...each, labels: new Map(each.labels) }));
        expect(parseMetrics(expected.map(printed).join("\n"))).toEqual({ kind: "metrics", samples: expected });
      }),
    );
  });

  it("returns samples or a line for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const lines = text.split("\n").length;
        const parsed = parseMetrics(text);
        if (parsed.kind === "too-large") throw new Error("a short text is too large");
        const counted = parsed.kind === "malformed" ? parsed.line : parsed.samples.length;
        expect(counted).toBeLessThanOrEqual(lines);
      }),
    );
  });
});

function printed({ name, labels, value }: MetricSample): string {
  const escaped = (text: string): string =>
    text
      .replaceAll("\\", "\\\\")
      .replaceAll('"', String.raw`\"`)
      .replaceAll("\n", String.raw`\n`);
  const pairs = [...labels].map(([key, text]) => `${key}="${escaped(text)}"`);
  const number =
    Number.isFinite(value) || Number.isNaN(value)
      ? Object.is(value, -0)
        ? "-0"
        : String(value)
      : value > 0
        ? "+Inf"
        : "-Inf";
  return `${name}${pairs.length === 0 ? "" : `{${pairs.join(",")}}`} ${number}`;
}

describe("metrics of a hostile Pod", () => {
  it.each([
    ["tiny samples", () => "a 1\n".repeat(50_001), "50,000 samples"],
    ["tiny samples of 16 MiB", () => "a 1\n".repeat(4 * 1024 * 1024), "50,000 samples"],
    ["empty lines", () => "\n".repeat(200_001), "200,000 lines"],
    ["comments", () => "#\n".repeat(200_001), "200,000 lines"],
    ["many labels", () => Array.from({ length: 300 }, () => manyLabels(2000)).join("\n"), "500,000 labels"],
    ["a long line", () => `a{b="${"x".repeat(70_000)}"} 1`, "65,536 characters in a line"],
  ])("are cut off: %s", (_title, text, limit) => {
    expect(parseMetrics(text())).toEqual({ kind: "too-large", limit });
  });

  it("are not those of a large manager", () => {
    const parsed = parseMetrics('requests_total{controller="a",code="200"} 1\n'.repeat(50_000));
    expect(parsed.kind === "metrics" && parsed.samples.length).toBe(50_000);
  });
});

function manyLabels(count: number): string {
  return `a{${Array.from({ length: count }, (_each, index) => `l${String(index)}="v"`).join(",")}} 1`;
}
