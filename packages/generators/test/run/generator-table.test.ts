import { expect, it } from "vitest";

import { GENERATOR_DEFINITIONS } from "../../src/arguments/generator-definitions.ts";
import { CHECKS, GENERATORS } from "../../src/run/generator-table.ts";

it.each(GENERATORS)("the generator $name has a definition and loads", async ({ name, load }) => {
  expect(GENERATOR_DEFINITIONS.map((each) => each.name)).toContain(name);
  expect(typeof (await load())).toBe("function");
});

it("every generator that help describes has a row", () => {
  const described = GENERATOR_DEFINITIONS.map((each) => each.name);
  expect(GENERATORS.map((each) => each.name).toSorted()).toEqual(described.toSorted());
});

it("every check loads and has its own name", async () => {
  expect(new Set(CHECKS.map((each) => each.name)).size).toBe(CHECKS.length);
  for (const { load } of CHECKS) expect(typeof (await load())).toBe("function");
});
