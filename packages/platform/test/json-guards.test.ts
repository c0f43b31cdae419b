import { describe, expect, it } from "vitest";

import { asRecord, asString, isRecord } from "../src/json-guards.ts";

const CASES = [
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ["{}", false],
  [1, false],
] as const;

describe("the guards of parsed JSON", () => {
  it.each(CASES)("isRecord of %j is %s", (value, expected) => {
    expect(isRecord(value)).toBe(expected);
  });

  it.each(CASES)("asRecord returns %j itself, or an empty object: %s", (value, isItself) => {
    const record = asRecord(value);
    expect(isItself ? record === value : Object.keys(record).length === 0 && record !== value).toBe(true);
  });

  it.each([
    ["", ""],
    ["text", "text"],
    [1, undefined],
    [null, undefined],
    [{ length: 0 }, undefined],
  ])("asString of %j is %j", (value, expected) => {
    expect(asString(value)).toBe(expected);
  });
});
