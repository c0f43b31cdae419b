import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ruleAllows, type PolicyRule } from "../../src/authorization/rbac-authorizer.ts";
import { areCovered, describeRules, partsOf, uncoveredRules } from "../../src/authorization/rule-coverage.ts";

const SECRETS: PolicyRule = { apiGroups: [""], resources: ["secrets"], verbs: ["get", "list"] };

describe("uncoveredRules", () => {
  it.each<readonly [string, readonly PolicyRule[], PolicyRule, number]>([
    ["nothing when the same is held", [SECRETS], SECRETS, 0],
    ["what no rule holds", [], SECRETS, 2],
    ["the verbs that are not held", [{ ...SECRETS, verbs: ["get"] }], SECRETS, 1],
    [
      "nothing when several rules hold it together",
      [
        { ...SECRETS, verbs: ["get"] },
        { ...SECRETS, verbs: ["list"] },
      ],
      SECRETS,
      0,
    ],
    ["nothing below *", [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }], SECRETS, 0],
    ["all names when only some are held", [{ ...SECRETS, resourceNames: ["a"] }], SECRETS, 2],
    ["nothing when a name is a part of all", [SECRETS], { ...SECRETS, resourceNames: ["a"] }, 0],
    ["names that are not held", [{ ...SECRETS, resourceNames: ["a"] }], { ...SECRETS, resourceNames: ["a", "b"] }, 2],
    ["* where only some is held", [SECRETS], { ...SECRETS, verbs: ["*"] }, 1],
    [
      "nothing when a subresource of all is held",
      [{ apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] }],
      { apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get"] },
      0,
    ],
    [
      "names where only a star is held",
      [{ ...SECRETS, resourceNames: ["*"] }],
      { ...SECRETS, resourceNames: ["a"] },
      2,
    ],
    [
      "deeper paths where a subresource of all is held",
      [{ apiGroups: ["apps"], resources: ["*/scale"], verbs: ["get"] }],
      { apiGroups: ["apps"], resources: ["deployments/scale/deeper"], verbs: ["get"] },
      1,
    ],
    [
      "paths beyond a beginning that is held",
      [{ nonResourceURLs: ["/a/*"], verbs: ["get"] }],
      { nonResourceURLs: ["/a/b", "/b"], verbs: ["get"] },
      1,
    ],
  ])("returns %s", (_title, held, wanted, count) => {
    expect(uncoveredRules(held, [wanted]).parts).toHaveLength(count);
  });

  it("never lets more be granted than is held", () => {
    const words = (...values: readonly string[]): fc.Arbitrary<string[]> =>
      fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 });
    const rule: fc.Arbitrary<PolicyRule> = fc.record(
      {
        verbs: words("get", "list", "*"),
        apiGroups: words("", "apps", "*"),
        resources: words("pods", "pods/status", "pods/status/x", "*/status", "*/status/x", "*"),
        resourceNames: fc.uniqueArray(fc.constantFrom("a", "b", "*"), { maxLength: 2 }),
      },
      { requiredKeys: ["verbs", "apiGroups", "resources"] },
    );
    const request = fc.record({
      isResourceRequest: fc.constant(true),
      path: fc.constant(""),
      version: fc.constant("v1"),
      namespace: fc.constant("n"),
      verb: fc.constantFrom("get", "list", "watch"),
      group: fc.constantFrom("", "apps", "batch"),
      resource: fc.constantFrom("pods", "jobs"),
      subresource: fc.constantFrom("", "status", "status/x"),
      name: fc.constantFrom("", "a", "b"),
    });
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 3 }), rule, request, (held, wanted, asked) => {
        const isGranted = uncoveredRules(held, [wanted]).parts.length === 0;
        const isMore = ruleAllows(wanted, asked) && !held.some((each) => ruleAllows(each, asked));
        expect(isGranted && isMore).toBe(false);
      }),
    );
  });
});

describe("uncoveredRules, compared with each part and each held rule by themselves", () => {
  const words = (...values: readonly string[]): fc.Arbitrary<string[]> =>
    fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 });
  const rule: fc.Arbitrary<PolicyRule> = fc.record(
    {
      verbs: words("get", "list", "*"),
      apiGroups: words("", "apps", "*"),
      resources: words("pods", "pods/status", "*/status", "*"),
      resourceNames: words("a", "b", "*"),
      nonResourceURLs: words("/a", "/a/b", "/a/*", "*"),
    },
    { requiredKeys: ["verbs"] },
  );
  const includes = (values: readonly string[] = [], wanted: readonly string[] = []): boolean =>
    values.includes("*") || wanted.every((value) => values.includes(value));
  const covers = (held: PolicyRule, part: PolicyRule): boolean =>
    includes(held.verbs, part.verbs) &&
    includes(held.apiGroups, part.apiGroups) &&
    (part.resources ?? []).every(
      (each) => includes(held.resources, [each]) || includes(held.resources, [each.replace(/^[^/]*/u, "*")]),
    ) &&
    (part.nonResourceURLs ?? []).every((path) =>
      (held.nonResourceURLs ?? []).some(
        (each) => each === path || (each.endsWith("*") && path.startsWith(each.slice(0, -1))),
      ),
    ) &&
    ((held.resourceNames ?? []).length === 0 ||
      ((part.resourceNames ?? []).length > 0 &&
        (part.resourceNames ?? []).every((name) => held.resourceNames?.includes(name))));

  it("finds the same parts", () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 3 }), (held, wanted) => {
        const parts = wanted.flatMap((each) => [...partsOf(each)]);
        expect(uncoveredRules(held, wanted)).toEqual({
          parts: parts.filter((part) => !held.some((each) => covers(each, part))),
          isCutOff: false,
        });
      }),
      { numRuns: 2000 },
    );
  });
});

// Each list is a user's; a role of 50 kB stands for 64 billion parts.
describe("uncoveredRules of many parts", () => {
  const list = (prefix: string, count = 4000): readonly string[] =>
    Array.from({ length: count }, (_, index) => prefix + String(index));
  const wide: PolicyRule = { apiGroups: list("g"), resources: list("r"), verbs: list("v") };

  it("looks at a rule as a whole first", () => {
    expect(uncoveredRules([{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }], [wide])).toEqual({
      parts: [],
      isCutOff: false,
    });
    expect(uncoveredRules([wide], [wide])).toEqual({ parts: [], isCutOff: false });
  });

  it("stops after 200000 parts, which are not held", () => {
    const { parts, isCutOff } = uncoveredRules([], [wide]);
    expect(isCutOff).toBe(true);
    expect(parts).toHaveLength(200_000);
    expect(describeRules(parts).length).toBeLessThanOrEqual(10_001);
  });

  it.each<readonly [string, readonly PolicyRule[], readonly PolicyRule[]]>([
    [
      "rules on one resource",
      list("v", 12_000).map((verb) => ({ apiGroups: ["a"], resources: ["r"], verbs: [verb] })),
      list("w", 12_000).map((verb) => ({ apiGroups: ["a"], resources: ["r"], verbs: [verb] })),
    ],
    [
      "beginnings of paths",
      [{ verbs: ["*"], nonResourceURLs: list("/a", 20_000).map((path) => `${path}/*`) }],
      [{ verbs: ["get"], nonResourceURLs: list("/b", 20_000) }],
    ],
    [
      "verbs of all rules",
      list("g", 5000).map((group) => ({ apiGroups: [group, "a"], resources: ["r"], verbs: ["*"] })),
      [{ apiGroups: ["a"], resources: ["r", "s"], verbs: list("v", 50_000) }],
    ],
  ])("stops after 2000000 comparisons: %s", (_title, held, wanted) => {
    expect(uncoveredRules(held, wanted).isCutOff).toBe(true);
    expect(areCovered(held, wanted)).toBe(false);
  });

  it("does not take what it could not look at for covered", () => {
    const all: PolicyRule = { verbs: ["*"], nonResourceURLs: ["*"] };
    const beginnings = { ...all, nonResourceURLs: list("/a", 20_000).map((path) => `${path}/*`) };
    const many = Array.from({ length: 110 }, (): PolicyRule => ({ ...beginnings }));
    expect(uncoveredRules(many, [all])).toEqual({ parts: [], isCutOff: true });
    expect([areCovered(many, [all]), areCovered([all], [all])]).toEqual([false, true]);
  });

  it("compares rules on different resources without looking at all pairs", () => {
    const rules = list("g", 12_000).map((group) => ({ apiGroups: [group], resources: ["r"], verbs: ["get", "list"] }));
    expect(uncoveredRules(rules, rules)).toEqual({ parts: [], isCutOff: false });
  });
});

describe("describeRules", () => {
  it("puts verbs together by resource, paths one by one, in order", () => {
    const { parts } = uncoveredRules(
      [],
      [
        SECRETS,
        { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get"], resourceNames: ["b", "a"] },
        { nonResourceURLs: ["/x"], verbs: ["get", "post"] },
      ],
    );
    expect(describeRules(parts)).toEqual([
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["get" "list"]}',
      '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:["apps"], Resources:["pods"], ResourceNames:["b"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["get"]}',
      '{NonResourceURLs:["/x"], Verbs:["post"]}',
    ]);
  });
});
