import { expect, it } from "vitest";

import { GENERATOR_DEFINITIONS } from "../../src/generators/generator-definitions.ts";
import { CHECKS, GENERATORS } from "../../src/generators/generator-table.ts";

it.each(GENERATORS)("the generator $name has a definition and loads", async ({ name, load }) => {
  expect(GENERATOR_DEFINITIONS.find((each) => each.name === name)).not.toHaveProperty("isPlanned");
  expect(typeof (await load())).toBe("function");
});

it("generators of upstream without a row are refused as not supported", () => {
  const names = new Set(GENERATORS.map((each) => each.name));
  const planned = GENERATOR_DEFINITIONS.filter((each) => each.isPlanned === true).map((each) => each.name);
  expect(planned).toEqual(GENERATOR_DEFINITIONS.map((each) => each.name).filter((name) => !names.has(name)));
});

it("every check loads and has a name of its own", async () => {
  expect(new Set(CHECKS.map((each) => each.name)).size).toBe(CHECKS.length);
  for (const { load } of CHECKS) expect(typeof (await load())).toBe("function");
});
