import * as fc from "fast-check";
import { expect, it } from "vitest";

import { normalizeRules, type RbacRule } from "../../src/rbac/normalize-rules.ts";

const NONE = { resourceNames: [], urls: [] };

it("rules that become alike while groups are joined keep the verbs of all", () => {
  const rules = [
    { ...NONE, groups: ["a", "b"], resources: ["x"], verbs: ["get"] },
    { ...NONE, groups: ["a"], resources: ["x"], verbs: ["list"] },
    { ...NONE, groups: ["b"], resources: ["x"], verbs: ["list"] },
  ];
  expect(normalizeRules(rules)).toEqual([{ ...NONE, groups: ["a", "b"], resources: ["x"], verbs: ["get", "list"] }]);
});

it("the normal form allows exactly what the rules allowed", () => {
  const list = (...values: readonly string[]): fc.Arbitrary<string[]> =>
    fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
  const rule = fc.record({
    groups: list("", "a", "b"),
    resources: list("x", "y", "z").map((values) => values.slice(0, 1)),
    resourceNames: fc.constantFrom<readonly string[]>([], ["n"]),
    urls: fc.constant<readonly string[]>([]),
    verbs: list("get", "list", "watch"),
  });
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 8 }), (rules) => {
      expect(permissionsOf(normalizeRules(rules))).toEqual(permissionsOf(rules));
    }),
  );
});

it("the order of the rules makes no difference to what they allow, and the result is sorted", () => {
  const rules = ["c", "", "a"].map((group) => ({ ...NONE, groups: [group], resources: [`r${group}`], verbs: ["get"] }));
  expect(normalizeRules(rules).map((rule) => rule.groups[0])).toEqual(["", "a", "c"]);
  expect(normalizeRules(rules.toReversed())).toEqual(normalizeRules(rules));
});

function permissionsOf(rules: readonly RbacRule[]): readonly string[] {
  const all = rules.flatMap(({ groups, resources, resourceNames, verbs }) =>
    groups.flatMap((group) =>
      resources.flatMap((resource) => verbs.map((verb) => [group, resource, resourceNames.join(), verb].join("/"))),
    ),
  );
  return [...new Set(all)].toSorted();
}
