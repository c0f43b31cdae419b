import { describe, expect, it } from "vitest";

import { checkStructuralInTurns, ruleChecks } from "../../../src/cel/index.ts";
import { deepEqual } from "../../../src/json/deep-equal.ts";
import type { JsonSchema } from "../../../src/model/json-schema.ts";
import { checkStructural } from "../../../src/structural/check-structural.ts";
import { recordedRules } from "../../oracle/rules/rule-answer.ts";

/** Turns that are counted, with a clock whose looks take a time. */
function countedTurns(msPerLook: number): {
  readonly turns: Parameters<typeof checkStructuralInTurns>[1]["turns"];
  readonly count: () => number;
} {
  let now = 0;
  let count = 0;
  const pause = async (): Promise<void> => {
    count++;
    await Promise.resolve();
  };
  return { turns: { nowMs: () => (now += msPerLook), pause }, count: () => count };
}

const NUMBERS = Array.from({ length: 200 }, (_, index) => index);

/** A schema whose texts have the same long default, and a rule that costs nearly as much as one may. */
function withLongTexts(count: number): JsonSchema {
  const text = {
    type: "string",
    maxLength: 10_000,
    default: "a".repeat(10_000),
    "x-kubernetes-validations": [{ rule: `lists.range(9).all(i, !self.contains('${"b".repeat(1000)}'))` }],
  };
  const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${String(index)}`, text]));
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

/** A schema whose lists have the same default, and rules. */
function withDefaults(count: number, ...rules: readonly string[]): JsonSchema {
  const list = {
    type: "array",
    maxItems: 200,
    items: { type: "integer", maximum: 200 },
    default: NUMBERS,
    "x-kubernetes-validations": rules.map((rule) => ({ rule })),
  };
  const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${String(index)}`, list]));
  return { type: "object", properties: { spec: { type: "object", properties } } };
}

const QUADRATIC = "self.all(x, self.exists(y, y == x))";

describe("the rules of defaults, in turns", () => {
  it("have the errors that they have in one turn", async () => {
    const recorded = recordedRules("rule-check")
      .filter(({ schema }) => JSON.stringify(schema).includes('"default":'))
      .map(({ schema, old }) => ({
        schema,
        previous: old === undefined ? [] : [old],
        isUnchanged: old !== undefined && deepEqual(old, schema),
      }));
    const own = [
      withDefaults(2, "self.size() < 5"),
      withDefaults(2, "self.size() < 5 || self[0] == 1", "self[300] == 1"),
      withDefaults(1, "self.all(x, x in oldSelf)", "oldSelf.size() > 900"),
      // Together they cost more than the rules of an object may.
      withLongTexts(15),
      { ...withDefaults(1, "self.spec.size() > 1"), default: { spec: {} } },
    ].map((schema) => ({ schema, previous: [], isUnchanged: false }));
    let withErrors = 0;
    for (const { schema, ...options } of [...recorded, ...own]) {
      const expected = checkStructural(schema, { ...options, rules: ruleChecks });
      expect(await checkStructuralInTurns(schema, { ...options, turns: countedTurns(0).turns })).toEqual(expected);
      if (expected.length > 0) withErrors += 1;
    }
    expect(recorded.length).toBeGreaterThan(5);
    expect(withErrors).toBeGreaterThan(own.length);
  });

  it("let others go on between two elements of a loop", async () => {
    const { turns, count } = countedTurns(1);
    expect(await checkStructuralInTurns(withDefaults(1, QUADRATIC), { turns })).toEqual([]);
    // A look at the clock after each hundred of 20,000 elements, twice, and a turn after each ten looks.
    expect(count()).toBeGreaterThan(30);
  });

  it("end after two seconds", async () => {
    const { turns } = countedTurns(50);
    const errors = await checkStructuralInTurns(withDefaults(1, QUADRATIC), { turns });
    expect(errors[0]?.detail).toContain("actual cost limit exceeded");
  });
});
