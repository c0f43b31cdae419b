import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { limitProblems, type Usage } from "../../../src/admission/limit-ranger/limit-problems.ts";

const ITEM = {
  type: "Container",
  min: { cpu: "100m" },
  max: { cpu: "1", memory: "1Gi" },
  maxLimitRequestRatio: { cpu: "2" },
} as const;

const within: Usage = { requests: { cpu: "500m" }, limits: { cpu: "1", memory: "1Gi" } };

describe("the problems of usages with limits", () => {
  it("are none within them", () => {
    expect(limitProblems(ITEM, [within])).toEqual([]);
    expect(limitProblems(ITEM, [])).toEqual([]);
  });

  it("name what is used and what may be, container by container", () => {
    const small = { requests: { cpu: "50m" }, limits: { cpu: "1", memory: "1Gi" } };
    const large = { requests: { cpu: "2" }, limits: { cpu: "3", memory: "1Gi" } };
    expect(limitProblems(ITEM, [small, within, large])).toEqual([
      "minimum cpu usage per Container is 100m, but request is 50m",
      "cpu max limit to request ratio per Container is 2, but provided ratio is 20.000000",
      "maximum cpu usage per Container is 1, but limit is 3",
    ]);
  });

  it("name a missing amount once for all containers", () => {
    const problems = limitProblems(ITEM, [within, { requests: {}, limits: {} }, { requests: {}, limits: {} }]);
    expect(problems).toEqual([
      "minimum cpu usage per Container is 100m.  No request is specified",
      "maximum cpu usage per Container is 1.  No limit is specified",
      "maximum memory usage per Container is 1Gi.  No limit is specified",
      "cpu max limit to request ratio per Container is 2, but no request is specified or request is 0",
    ]);
  });

  it("are looked for once where thousands of containers lack thousands of amounts", () => {
    const max = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`example.com/r${String(index)}`, "1"]));
    const none = Array.from({ length: 5000 }, () => ({ requests: {}, limits: {} }));
    expect(limitProblems({ type: "Container", max }, none)).toHaveLength(5000);
  });

  it("are those of each usage by itself", () => {
    const amounts = fc.dictionary(fc.constantFrom("cpu", "memory", "example.com/a"), fc.constantFrom("0", "1", "2Gi"));
    const usage = fc.record({ requests: amounts, limits: amounts });
    const item = fc.record({
      type: fc.constantFrom("Container", "Pod", "PersistentVolumeClaim"),
      min: amounts,
      max: amounts,
      maxLimitRequestRatio: amounts,
    });
    fc.assert(
      fc.property(item, fc.array(usage, { maxLength: 5 }), (limits, usages) => {
        const apart = usages.flatMap((each) => limitProblems(limits, [each]));
        expect(new Set(limitProblems(limits, usages))).toEqual(new Set(apart));
      }),
      { numRuns: 1000 },
    );
  });
});
