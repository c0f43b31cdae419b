import type { Taint, Toleration } from "@kubescaffold/k8s/core/v1";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isTolerated, KEEPS_AWAY, repellingTaint, repellingTaints } from "../../../src/controllers/taints.ts";

const taint: fc.Arbitrary<Taint> = fc.record({
  key: fc.constantFrom("a", "b", "c"),
  value: fc.constantFrom("", "x"),
  effect: fc.constantFrom("NoSchedule", "NoExecute", "PreferNoSchedule"),
});

const toleration: fc.Arbitrary<Toleration> = fc.record(
  {
    key: fc.constantFrom("", "a", "b"),
    operator: fc.constantFrom("Exists", "Equal"),
    value: fc.constantFrom("", "x"),
    effect: fc.constantFrom("", "NoSchedule", "NoExecute"),
  } as const,
  { requiredKeys: [] },
) as fc.Arbitrary<Toleration>;

describe("the taints that repel a Pod", () => {
  it("are those that none of its tolerations matches, compared one by one", () => {
    fc.assert(
      fc.property(fc.array(taint), fc.array(toleration), (taints, tolerations) => {
        const expected = taints
          .filter(({ effect }) => KEEPS_AWAY.includes(effect))
          .filter((each) => !isTolerated(each, tolerations));
        expect([...repellingTaints(taints, tolerations, KEEPS_AWAY)]).toEqual(expected);
        expect(repellingTaint(taints, tolerations, KEEPS_AWAY)).toBe(expected[0]);
      }),
      { numRuns: 1000 },
    );
  });

  it("are found among many without comparing all pairs", () => {
    let looks = 0;
    const many = Array.from({ length: 2000 }, (_, index) => `k${String(index)}`);
    const tolerations = many.map((key): Toleration => ({
      get key() {
        looks += 1;
        return key;
      },
      operator: "Exists",
    }));
    const taints = many.map((key): Taint => ({ key, effect: "NoSchedule" }));
    expect(repellingTaint(taints, tolerations, KEEPS_AWAY)).toBeUndefined();
    expect(looks).toBeLessThanOrEqual(2 * many.length);
  });
});
