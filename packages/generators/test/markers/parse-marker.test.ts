import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";
import type { ParsedMarker } from "../../src/markers/parsed-marker.ts";

const VALIDATION = "+kubebuilder:validation:";

describe("a marker with one value", () => {
  it.each([
    ["MaxLength=5", 5],
    ["MaxLength:=5", 5],
    ["MaxLength:anything=5", 5],
    ["MaxLength=010", 10],
    ["MaxLength=-3", -3],
    ["Minimum=+5", 5],
    ["Minimum= 5 ", 5],
    ["Minimum=-1.5e3", -1500],
    ["MultipleOf=.5", 0.5],
    ["UniqueItems=true", true],
    ["Format=date-time", "date-time"],
    ["Pattern=`^\\d+$`", "^\\d+$"],
    ['Pattern="a,b;c}"', "a,b;c}"],
    ["Enum=a;1;true", ["a", 1, true]],
    ["Enum={a,1,true}", ["a", 1, true]],
    ["ExactlyOneOf={a, b}", ["a", "b"]],
  ])("%s is read", (text, value) => {
    expect(valueOf(parseMarker(VALIDATION + text, CATALOGUE))).toEqual(value);
  });

  it.each([
    ["MaxLength=0x1F", "MARKER_BAD_ARGUMENT"],
    ["MaxLength=1_000", "MARKER_BAD_ARGUMENT"],
    ["MaxLength=08", "MARKER_BAD_ARGUMENT"],
    ['MaxLength="5"', "MARKER_BAD_ARGUMENT"],
    ["MaxLength=", "MARKER_MISSING_ARGUMENT"],
    ["MaxLength", "MARKER_MISSING_ARGUMENT"],
    ["MaxLength=5 6", "MARKER_BAD_ARGUMENT"],
    ["Minimum=one", "MARKER_BAD_ARGUMENT"],
    ["Minimum=Inf", "MARKER_BAD_ARGUMENT"],
    ["UniqueItems=yes", "MARKER_BAD_ARGUMENT"],
    ['Pattern="open', "MARKER_BAD_ARGUMENT"],
    ['Pattern="\\d"', "MARKER_BAD_ARGUMENT"],
    ["Enum={a,b", "MARKER_BAD_ARGUMENT"],
    ["Enum=a ; b", "MARKER_BAD_ARGUMENT"],
    ["Enum={1,2}}", "MARKER_EXTRA_ARGUMENT"],
    ["Schemaless=true", "MARKER_EXTRA_ARGUMENT"],
  ])("%s is refused with %s", (text, code) => {
    expect(codeOf(parseMarker(VALIDATION + text, CATALOGUE))).toBe(code);
  });

  it("keeps every digit of an integer beyond what a double holds", () => {
    expect(valueOf(parseMarker("+kubebuilder:default=9223372036854775807", CATALOGUE))).toBe(9223372036854775807n);
    expect(codeOf(parseMarker("+kubebuilder:default=9223372036854775808", CATALOGUE))).toBe("MARKER_BAD_ARGUMENT");
  });
});

describe("a marker with named arguments", () => {
  it("takes them in any order, the last of a name", () => {
    const text = '+kubebuilder:printcolumn:JSONPath=.a,type="x, y",name=N,name=M,priority=-1';
    expect(valueOf(parseMarker(text, CATALOGUE))).toEqual({ JSONPath: ".a", type: "x, y", name: "M", priority: -1 });
  });

  it("allows lists in both notations", () => {
    const text = "+kubebuilder:rbac:groups={a,b},resources=c;d,verbs=get";
    expect(valueOf(parseMarker(text, CATALOGUE))).toEqual({
      groups: ["a", "b"],
      resources: ["c", "d"],
      verbs: ["get"],
    });
  });

  it.each([
    ["+kubebuilder:printcolumn:name=N", "MARKER_MISSING_ARGUMENT"],
    ["+kubebuilder:printcolumn", "MARKER_MISSING_ARGUMENT"],
    ["+kubebuilder:printcolumn:nam=N", "MARKER_UNKNOWN_ARGUMENT"],
    ["+kubebuilder:resource:shortName=a,b", "MARKER_SYNTAX"],
    ["+kubebuilder:resource:shortName=a,", "MARKER_SYNTAX"],
    ['+kubebuilder:resource:path="a" b', "MARKER_SYNTAX"],
    ["+kubebuilder:resource:path=,shortName=a", "MARKER_BAD_ARGUMENT"],
  ])("%s is refused with %s", (text, code) => {
    expect(codeOf(parseMarker(text, CATALOGUE))).toBe(code);
  });
});

describe("any value", () => {
  it("is what was quoted, whatever its characters are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const wellFormed = Buffer.from(text).toString("utf8");
        expect(valueOf(parseMarker(`+kubebuilder:default=${goQuote(wellFormed)}`, CATALOGUE))).toBe(wellFormed);
      }),
      { numRuns: 500 },
    );
  });

  it("is what is between backticks", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }).filter((text) => !/[`\r\n]/u.test(text)),
        (text) => {
          expect(valueOf(parseMarker(`${VALIDATION}Pattern=\`${text}\``, CATALOGUE))).toBe(text);
        },
      ),
    );
  });

  it("is guessed to be the number that it looks like", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (number) => {
        expect(valueOf(parseMarker(`+kubebuilder:default=${number}`, CATALOGUE))).toBe(number);
      }),
    );
  });

  it.each(['{:"k 0": 3}', "{a : 1}", "{a : 1, b: 2}"])(
    "is refused when a key of its map is missing or no good: %s",
    (text) => {
      expect(codeOf(parseMarker(`+kubebuilder:example=${text}`, CATALOGUE))).toBe("MARKER_BAD_ARGUMENT");
    },
  );

  it("may be nested as deeply as wanted", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 3 }, fc.integer(), fc.boolean(), fc.string({ unit: "grapheme-ascii" }), tie("map")),
      map: fc.dictionary(fc.string({ unit: "grapheme-ascii", minLength: 1 }), tie("value"), {
        maxKeys: 3,
        noNullPrototype: true,
      }),
    }));
    fc.assert(
      fc.property(value, (data) => {
        expect(valueOf(parseMarker(`+kubebuilder:default=${print(data)}`, CATALOGUE))).toEqual(data);
      }),
    );
  });

  it("of a megabyte is read or refused at once", () => {
    const size = 1_000_000;
    expect(valueOf(parseMarker(`+kubebuilder:default="${"x".repeat(size)}"`, CATALOGUE))).toHaveLength(size);
    expect(valueOf(parseMarker(`+kubebuilder:default={${"1,".repeat(size / 2)}}`, CATALOGUE))).toHaveLength(size / 2);
    expect(codeOf(parseMarker(`+kubebuilder:default=${"{".repeat(size)}`, CATALOGUE))).toBe("MARKER_SYNTAX");
    expect(codeOf(parseMarker(`+kubebuilder:validation:Enum=${"{a:".repeat(size / 4)}`, CATALOGUE))).toBe(
      "MARKER_SYNTAX",
    );
  });

  it("never stops the parser, whatever the text is", () => {
    const names = [...CATALOGUE.keys()];
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.constantFrom("=", ":=", ":", ":rule=", ":name="),
        fc.string({ unit: "binary" }),
        (name, sign, rest) => {
          expect(["marker", "unknown", "problem"]).toContain(parseMarker(`+${name}${sign}${rest}`, CATALOGUE).kind);
        },
      ),
      { numRuns: 2000 },
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("{}:;,=\"'`-+.0x1eE_ab \\")) }), (rest) => {
        const parsed = parseMarker(`+kubebuilder:default=${rest}`, CATALOGUE);
        if (parsed.kind !== "problem") return;
        expect(parsed.problem.offset).toBeGreaterThanOrEqual(0);
        expect(parsed.problem.length).toBeGreaterThan(0);
      }),
      { numRuns: 5000 },
    );
  });
});

function valueOf(parsed: ParsedMarker): unknown {
  return parsed.kind === "marker" ? parsed.value : parsed;
}

function codeOf(parsed: ParsedMarker): string | undefined {
  return parsed.kind === "problem" ? parsed.problem.code : undefined;
}

function goQuote(text: string): string {
  const escaped = text
    .replaceAll(/["\\]/gu, String.raw`\$&`)
    .replaceAll(/\p{Cc}/gu, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `"${escaped}"`;
}

function print(value: unknown): string {
  if (typeof value === "string") return goQuote(value);
  if (typeof value !== "object" || value === null) return String(value);
  return `{${Object.entries(value)
    .map(([key, each]) => `${goQuote(key)}: ${print(each)}`)
    .join(", ")}}`;
}
