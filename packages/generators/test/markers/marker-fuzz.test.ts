import { expect, it } from "vitest";

import { CATALOGUE } from "../../src/markers/catalogue.ts";
import { parseMarker } from "../../src/markers/parse-marker.ts";

const COMMENTS = 100_000;
const SEED = 20_260_131;

// Nothing that the grammar of markers gives a meaning to is missing here, nor what often breaks readers of text.
const PIECES: readonly string[] = [
  ...'= := : , ; { } [ ] ( ) " \' ` \\ # + - . * / | ! < > \0 \t \n \r \u2028 \u0000 \uD800 \uFEFF 𝒳 é {} {{ }} "" `` \\" \\u12 0x1F 1e309 9007199254740993 -0 007 1_000 .5 5. true false null nil map ref( __proto__ constructor'.split(
    " ",
  ),
  " ",
  "  ",
  ...CATALOGUE.keys(),
  ...[...CATALOGUE.values()].flatMap(({ grammar }) =>
    grammar.kind === "arguments" ? grammar.arguments.map((each) => `${each.name}=`) : [],
  ),
];
const NAMES = [...CATALOGUE.keys()];

// Numbers that look random and are the same in every run (mulberry32).
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

// Half of the comments begin as a marker does, so that what follows its name is read.
function comment(next: (below: number) => number): string {
  const pieces = Array.from({ length: next(12) }, () => PIECES[next(PIECES.length)] ?? "");
  const head = next(2) === 0 ? `+${NAMES[next(NAMES.length)] ?? ""}${[":", "=", ":=", ""][next(4)] ?? ""}` : "+";
  return head + pieces.join("");
}

it(`${COMMENTS.toLocaleString("en")} random comments are read as markers, as problems with a place, or as no marker`, () => {
  const next = numbers(SEED);
  const faults: unknown[] = [];
  const counts = { marker: 0, problem: 0, unknown: 0 };
  for (let index = 0; index < COMMENTS; index += 1) {
    const text = comment(next);
    const parsed = parseMarker(text, CATALOGUE);
    counts[parsed.kind] += 1;
    if (parsed.kind !== "problem") continue;
    const { code, message, hint, offset } = parsed.problem;
    const isExplained = code.startsWith("MARKER_") && message !== "" && hint !== "";
    if (!isExplained || offset < 0 || offset > text.length) faults.push([text, parsed.problem]);
  }
  expect(faults).toEqual([]);
  // Each kind of answer is reached.
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(COMMENTS / 100);
}, 120_000);
