import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { deepEqual } from "../../src/json/deep-equal.ts";

describe("deepEqual", () => {
  it("does not care about the order of members, and does about that of items", () => {
    expect(deepEqual({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 })).toBe(true);
    expect(deepEqual({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  });

  it("tells null, absent members, empty objects and empty lists apart", () => {
    expect(deepEqual({ a: null }, {})).toBe(false);
    expect(deepEqual({}, [])).toBe(false);
    expect(deepEqual(null, {})).toBe(false);
    expect(deepEqual({ a: undefined }, {})).toBe(true);
    expect(deepEqual({ a: 1 }, { a: 1, b: undefined })).toBe(true);
  });

  it("looks at own members only", () => {
    expect(deepEqual({ constructor: 1 }, { x: 1 })).toBe(false);
  });

  it("finds every JSON value equal to its copy, and unequal once a member is added", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const copy = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
        expect(deepEqual(JSON.parse(JSON.stringify(value)), copy)).toBe(true);
        const extra = `${Object.keys(copy).join("")}!`;
        expect(deepEqual(copy, { ...copy, [extra]: 1 })).toBe(false);
      }),
    );
  });
});
