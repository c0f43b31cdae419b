import { expect, it } from "vitest";

import { deepFreeze } from "../../src/json/json-value.ts";

it("deepFreeze freezes all parts, those that are frozen included, at any depth", () => {
  const shared = Object.freeze({ x: 1 });
  const value = { list: [{ a: {} }, null, 1], shared };
  expect(deepFreeze(value)).toBe(value);
  expect([value, value.list, value.list[0], shared].every((part) => Object.isFrozen(part))).toBe(true);
  const deep = JSON.parse(`${'[{"a":'.repeat(100_000)}1${"}]".repeat(100_000)}`) as unknown;
  deepFreeze(deep);
  let levels = 0;
  for (let part = deep; typeof part === "object" && part !== null; part = Object.values(part)[0] as unknown) {
    if (!Object.isFrozen(part)) throw new TypeError(`level ${String(levels)} is not frozen`);
    levels += 1;
  }
  expect(levels).toBe(200_000);
});
