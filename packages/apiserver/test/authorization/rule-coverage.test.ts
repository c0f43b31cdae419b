import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { describeRules, uncoveredRules } from "../../src/authorization/escalation-guard.ts";
import { ruleAllows, type PolicyRule } from "../../src/authorization/rbac-authorizer.ts";

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
    expect(uncoveredRules(held, [wanted])).toHaveLength(count);
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
        const isGranted = uncoveredRules(held, [wanted]).length === 0;
        const isMore = ruleAllows(wanted, asked) && !held.some((each) => ruleAllows(each, asked));
        expect(isGranted && isMore).toBe(false);
      }),
    );
  });
});

describe("describeRules", () => {
  it("puts verbs together by resource, paths one by one, in order", () => {
    const rules = uncoveredRules(
      [],
      [
        SECRETS,
        { apiGroups: ["", "apps"], resources: ["pods"], verbs: ["get"], resourceNames: ["b", "a"] },
        { nonResourceURLs: ["/x"], verbs: ["get", "post"] },
      ],
    );
    expect(describeRules(rules)).toEqual([
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
