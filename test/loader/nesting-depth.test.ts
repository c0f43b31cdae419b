import { expect, it } from "vitest";

import { findTooDeep } from "../../src/loader/nesting-depth.ts";

const nested = (levels: number): string => `type A = ${"{ a: ".repeat(levels)}string${" }".repeat(levels)};`;

it("finds the bracket that opens one level too many", () => {
  expect(findTooDeep(nested(256))).toBeUndefined();
  expect(findTooDeep(nested(257))).toBe("type A = ".length + 256 * "{ a: ".length);
});

it("counts levels, not brackets", () => {
  expect(findTooDeep("const a = [{ b: (1) }];\n".repeat(500))).toBeUndefined();
});
