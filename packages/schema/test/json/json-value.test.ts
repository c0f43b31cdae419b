import { expect, it } from "vitest";

import { memberOf, setMember } from "../../src/json/json-value.ts";

it("a member called __proto__ is a member like any other", () => {
  const object = {};
  setMember(object, "__proto__", { polluted: true });
  expect(Object.keys(object)).toEqual(["__proto__"]);
  expect("polluted" in object).toBe(false);
  expect(memberOf(object, "constructor")).toBeUndefined();
});
