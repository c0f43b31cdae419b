import { matchesLabelSelector } from "@kubescaffold/k8s";
import type { LabelSelector } from "@kubescaffold/k8s/meta/v1";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { storedLabelsMatcher, storedSelectorMatcher } from "../../src/storage/stored-selectors.ts";

const labels = fc.dictionary(fc.constantFrom("a", "b", "c", "constructor"), fc.constantFrom("", "x", "y"));

describe("the matcher of a stored selector", () => {
  it("chooses what the selector chooses, at each call", () => {
    const selector = fc.record(
      {
        matchLabels: labels,
        matchExpressions: fc.array(
          fc.record({
            key: fc.constantFrom("a", "b"),
            operator: fc.constantFrom("In", "NotIn"),
            values: fc.uniqueArray(fc.constantFrom("x", "y"), { minLength: 1 }),
          }),
          { maxLength: 2 },
        ),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(selector, fc.array(labels), (chosen, objects) => {
        for (const each of objects) {
          expect(storedSelectorMatcher(chosen as LabelSelector)(each)).toBe(
            matchesLabelSelector(chosen as LabelSelector, each),
          );
        }
      }),
      { numRuns: 500 },
    );
    expect(storedSelectorMatcher(undefined)({})).toBe(false);
  });

  it("reads the selector once, however many objects are asked about", () => {
    let reads = 0;
    const selector: LabelSelector = {
      get matchExpressions() {
        reads += 1;
        return [{ key: "a", operator: "Exists" }];
      },
    };
    storedSelectorMatcher(selector);
    const first = reads;
    for (let count = 0; count < 100; count += 1) expect(storedSelectorMatcher(selector)({ a: "" })).toBe(true);
    expect([first > 0, reads]).toEqual([true, first]);
  });
});

describe("the matcher of stored labels", () => {
  it("chooses what has all of them", () => {
    fc.assert(
      fc.property(labels, fc.array(labels), (required, objects) => {
        for (const each of objects) {
          const isChosen = Object.entries(required).every(
            ([key, value]) => Object.hasOwn(each, key) && each[key] === value,
          );
          expect(storedLabelsMatcher(required)(each)).toBe(isChosen);
        }
      }),
    );
    expect([storedLabelsMatcher({})(undefined), storedLabelsMatcher({ a: "" })(undefined)]).toEqual([true, false]);
  });

  it("does not look at labels that an object has not enough of", () => {
    const required = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${String(index)}`, "v"]));
    const isChosen = storedLabelsMatcher(required);
    expect(isChosen({ k0: "v" })).toBe(false);
    expect(storedLabelsMatcher(required)).toBe(isChosen);
  });
});
