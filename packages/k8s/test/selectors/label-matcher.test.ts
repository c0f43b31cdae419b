import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { fieldMatcher, matchesFields, parseFieldSelector } from "../../src/selectors/field-selector.ts";
import { labelMatcher, labelSelectorMatcher } from "../../src/selectors/label-matcher.ts";
import { matchesLabels, parseLabelSelector } from "../../src/selectors/label-selector.ts";

const key = fc.constantFrom("a", "b", "c", "constructor");
const value = fc.constantFrom("1", "2", "3", "x", "", "01", "9223372036854775808");
const values = fc.array(value, { minLength: 1, maxLength: 3 }).map((all) => all.join(","));
const requirement = fc.oneof(
  fc.tuple(key, fc.constantFrom("=", "!=", "=="), value).map((parts) => parts.join("")),
  fc.tuple(key, fc.constantFrom(" in (", " notin ("), values).map((parts) => `${parts.join("")})`),
  fc.tuple(key, fc.constantFrom(">", "<"), fc.constantFrom("0", "1", "2", "5")).map((parts) => parts.join("")),
  key,
  key.map((each) => `!${each}`),
);
const selector = fc.array(requirement, { maxLength: 5 }).map((all) => all.join(","));
const labels = fc.option(fc.dictionary(key, value), { nil: undefined });

describe("labelMatcher", () => {
  it("matches like the requirements one by one", () => {
    fc.assert(
      fc.property(selector, labels, (text, each) => {
        const requirements = parseLabelSelector(text);
        expect(labelMatcher(requirements)(each)).toBe(matchesLabels(requirements, each));
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ["keys that are absent", (index: number) => `!k${String(index)}`],
    ["values of absent keys", (index: number) => `k${String(index)}!=v`],
    ["values of one key", (index: number) => `app!=v${String(index)}`],
    ["keys that exist", (index: number) => `k${String(index)}`],
    ["limits of one key", (index: number) => `size<${String(index + 6)}`],
  ])("reads an object with three labels a few times for 20,000 requirements: %s", (_, text) => {
    const requirements = parseLabelSelector(Array.from({ length: 20_000 }, (__, index) => text(index)).join(","));
    const isMatch = labelMatcher(requirements);
    let reads = 0;
    const count = <T>(read: T): T => {
      reads += 1;
      return read;
    };
    const object = new Proxy<Record<string, string>>(
      { app: "web", tier: "b", size: "5" },
      {
        get: (target, name) => count(Reflect.get(target, name) as string),
        has: (target, name) => count(Reflect.has(target, name)),
        getOwnPropertyDescriptor: (target, name) => count(Reflect.getOwnPropertyDescriptor(target, name)),
      },
    );
    isMatch(object);
    expect(reads).toBeLessThan(20);
  });
});

describe("labelSelectorMatcher", () => {
  it("chooses nothing when absent and everything when empty", () => {
    expect(labelSelectorMatcher(undefined)({ a: "1" })).toBe(false);
    expect(labelSelectorMatcher(null)({})).toBe(false);
    expect(labelSelectorMatcher({})(undefined)).toBe(true);
  });
});

describe("fieldMatcher", () => {
  const term = fc.tuple(key, fc.constantFrom("=", "!="), fc.constantFrom("1", "2", "")).map((parts) => parts.join(""));

  it("matches like the requirements one by one", () => {
    fc.assert(
      fc.property(fc.array(term, { maxLength: 5 }), labels, (terms, each = {}) => {
        const requirements = parseFieldSelector(terms.join(","));
        const fieldOf = (field: string): string | undefined => (Object.hasOwn(each, field) ? each[field] : undefined);
        expect(fieldMatcher(requirements)(fieldOf)).toBe(matchesFields(requirements, fieldOf));
      }),
    );
  });

  it("reads each field of an object once for 20,000 requirements", () => {
    const text = Array.from({ length: 20_000 }, (_, index) => `metadata.name!=v${String(index)}`).join(",");
    let reads = 0;
    const isMatch = fieldMatcher(parseFieldSelector(text))(() => {
      reads += 1;
      return "web";
    });
    expect([isMatch, reads]).toEqual([true, 1]);
  });
});
