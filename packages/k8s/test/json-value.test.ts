import { expect, it } from "vitest";

import { isRecord } from "../src/json-value.ts";

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [Object.create(null), true],
  [[], false],
  [null, false],
  [undefined, false],
  ["{}", false],
  [1, false],
])("isRecord of %j is %s", (value, expected) => {
  expect(isRecord(value)).toBe(expected);
});
