import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

const FINDING =
  /^(?<place>\S+:\d+:\d+) - (?:error|warning) (?<code>[A-Z_]+): .*\n {2}(?<source>.*)\n {2}(?<carets> *\^+)\n {2}hint: (?<hint>.*)$/gmu;
const TEST = path.join(import.meta.dirname, "..");
const FINDINGS = readdirSync(TEST, { recursive: true, encoding: "utf8" })
  .filter((file) => path.basename(file) === "expected.txt")
  .toSorted()
  .flatMap((file) => findingsIn(readFileSync(path.join(TEST, file), "utf8")));

describe("hints", () => {
  it.each(FINDINGS)("of $code at $place do not propose what the user wrote: $marked", ({ marked, proposed }) => {
    expect(proposed).not.toContain(marked);
  });

  it("are tested for all findings about types", () => {
    expect([...new Set(FINDINGS.map(({ code }) => code))]).toEqual(expect.arrayContaining(CODES_OF_TYPES));
  });
});

const CODES_OF_TYPES = [
  "GENERATE_BAD_METADATA",
  "GENERATE_BARE_NUMBER",
  "GENERATE_DUPLICATE_VERSION",
  "GENERATE_FLOAT",
  "GENERATE_INDEX_BESIDE_PROPERTIES",
  "GENERATE_MAP_KEY",
  "GENERATE_MARKER_MISFIT",
  "GENERATE_MIXED_ENUM",
  "GENERATE_NO_GROUP",
  "GENERATE_NO_SERVED_VERSION",
  "GENERATE_NO_STORAGE_VERSION",
  "GENERATE_NULLABLE_ENUM",
  "GENERATE_ONE_OF_NESTED",
  "GENERATE_ONE_OF_REQUIRED",
  "GENERATE_RECURSIVE_TYPE",
  "GENERATE_TYPE_CONFLICT",
  "GENERATE_UNION",
  "GENERATE_UNION_DEFAULT",
  "GENERATE_UNION_PROPERTY",
  "GENERATE_UNKNOWN_TYPE",
  "GENERATE_UNSUPPORTED_TYPE",
  "GENERATE_UNTYPED_PROPERTY",
  "GENERATE_WEBHOOK",
];

interface PrintedFinding {
  readonly code: string;
  readonly place: string;
  /** The text above the carets, without spaces. */
  readonly marked: string;
  /** The words of the hint that stand for themselves: names, types, and markers, without spaces around them. */
  readonly proposed: readonly string[];
}

function findingsIn(text: string): readonly PrintedFinding[] {
  return [...text.matchAll(FINDING)].flatMap(({ groups = {} }) => {
    const { place = "", code = "", source = "", carets = "", hint = "" } = groups;
    const marked = source.slice(carets.indexOf("^"), carets.lastIndexOf("^") + 1).trim();
    const proposed = hint.split(/[;,:]? (?:or|and|of|to|in|for|with|as|use|write|than|is|are|such) |; |, /u);
    return [{ code, place, marked, proposed }];
  });
}
