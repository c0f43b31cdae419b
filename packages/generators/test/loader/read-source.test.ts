import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readSource } from "../../src/loader/read-source.ts";

describe("a text that is no source", () => {
  it.each([
    ["LOADER_BINARY", "G@\0\u0011", 0],
    ["LOADER_TOO_LARGE", "export const a = 1;\n".repeat(550_000), 0],
    ["LOADER_TOO_DEEP", `type A =\n${"(".repeat(100_000)}string`, 2],
  ])("is one finding: %s", (code, text, line) => {
    const { contents, diagnostics } = readSource("a.ts", text);
    expect(diagnostics).toMatchObject([{ severity: "error", code, file: "a.ts", line }]);
    expect(contents.declarations.size).toBe(0);
  });

  it("has at most twenty findings of syntax", () => {
    expect(readSource("a.ts", "}{)(".repeat(1000)).diagnostics).toHaveLength(20);
  });
});

it("braces in comments and texts are no levels", () => {
  const open = "{".repeat(1000);
  expect(readSource("a.ts", `// +x=${open}\nexport const a = "${open}";\n`).diagnostics).toEqual([]);
});

// Pieces that mean something to the parser, assembled without sense.
const PIECE = fc.constantFrom(
  ...'export interface A extends B { a?: string; b: int32[] } type X<T> = | & keyof typeof [ ] ( ) < > { } => ; : , . ? ! @ # ` ${ } \' " /* */ /** // \\ + - = 0 1n class enum const as satisfies import from "./x.ts" * \n \r\n // +kubebuilder:validation:Minimum=1\n /** +optional */ readonly #a static accessor get set infer unique symbol abstract \u2028 \ufeff 𝒳'.split(
    " ",
  ),
);

it("reading never fails, whatever the text is", () => {
  const text = fc.oneof(
    fc.array(PIECE, { maxLength: 60 }).map((pieces) => pieces.join(" ")),
    fc.string({ unit: "binary", maxLength: 200 }),
  );
  fc.assert(
    fc.property(text, (source) => {
      for (const { line, column, code } of readSource("a.ts", source).diagnostics) {
        expect(code).toMatch(/^LOADER_/u);
        expect(Math.min(line, column)).toBeGreaterThanOrEqual(0);
      }
    }),
    { numRuns: 3000 },
  );
});
