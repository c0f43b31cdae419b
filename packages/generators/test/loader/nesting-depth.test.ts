import fc from "fast-check";
import { ts } from "ts-morph";
import { expect, it } from "vitest";

import { findTooDeep } from "../../src/loader/read-source.ts";

const nested = (levels: number): string => `type A = ${"{ a: ".repeat(levels)}string${" }".repeat(levels)};`;

it("finds the bracket that opens one level too many", () => {
  expect(findTooDeep(nested(256))).toBeUndefined();
  expect(findTooDeep(nested(257))).toBe("type A = ".length + 256 * "{ a: ".length);
});

it("counts levels, not brackets", () => {
  expect(findTooDeep("const a = [{ b: (1) }];\n".repeat(500))).toBeUndefined();
});

it("counts what nothing closes, whatever strings and comments have in them", () => {
  const closed = `"}}}" + '\\'}' /* }}} */ // }}}\n`;
  expect(findTooDeep(nested(257).replaceAll("{ ", `{ ${closed}`))).toBeGreaterThan(0);
  expect(findTooDeep(`const a = [{ b: ("({[" /* ({[ */) }]; // ({[\n`.repeat(500))).toBeUndefined();
});

// Tokens alone, without what counting saves.
function scanForDepth(text: string): number | undefined {
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, true, ts.LanguageVariant.Standard, text);
  let depth = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (/^[{[(]$/u.test(scanner.getTokenText())) depth += 1;
    else if (/^[}\])]$/u.test(scanner.getTokenText())) depth = Math.max(0, depth - 1);
    if (depth > 256) return scanner.getTokenStart();
  }
  return undefined;
}

it("finds what a scanner finds in any text", () => {
  const ends = ["\n", "\r", "\r\n", "\u2028"];
  const signs = [
    "'",
    '"',
    "`",
    "\\",
    "/",
    "//",
    "/*",
    "*/",
    "${",
    "\\u{41}",
    "a",
    " ",
    "=======",
    "|||||||",
    "#!",
    ...ends,
  ];
  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constantFrom("{", "[", "("), fc.integer({ min: 1, max: 90 })) },
    { weight: 4, arbitrary: fc.tuple(fc.constantFrom("}", "]", ")"), fc.integer({ min: 1, max: 40 })) },
    { weight: 12, arbitrary: fc.tuple(fc.constantFrom(...signs), fc.constant(1)) },
  );
  const text = fc
    .array(piece, { maxLength: 60 })
    .map((pieces) => pieces.map(([sign, count]) => sign.repeat(count)).join(""));
  fc.assert(
    fc.property(text, (each) => {
      expect(findTooDeep(each)).toBe(scanForDepth(each));
    }),
    { numRuns: 2000 },
  );
});
