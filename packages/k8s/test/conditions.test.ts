import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Condition } from "../src/api/meta/v1.ts";
import {
  findCondition,
  isConditionFalse,
  isConditionPresentAndEqual,
  isConditionTrue,
  type NewCondition,
  removeCondition,
  setCondition,
} from "../src/conditions.ts";
import { recordedAnswers } from "./oracle/oracle.ts";

// What the Go program takes for the time of its own clock.
const NOW = new Date("2026-05-04T03:02:01.789Z");
const READY: Condition = {
  type: "Ready",
  status: "True",
  observedGeneration: 1,
  lastTransitionTime: "2026-01-01T00:00:00Z",
  reason: "Done",
  message: "all is well",
};

type Step = { readonly set: NewCondition } | { readonly remove: string };
interface Answer {
  readonly changed: boolean;
  readonly conditions: readonly Condition[];
  readonly found: boolean;
  readonly isTrue: boolean;
  readonly isFalse: boolean;
  readonly isUnknown: boolean;
}

const type = fc.constantFrom("Ready", "Available", "Degraded");
const newCondition = fc.record(
  {
    type,
    status: fc.constantFrom("True", "False", "Unknown"),
    reason: fc.constantFrom("Done", "Waiting", ""),
    message: fc.constantFrom("a", "b", ""),
    observedGeneration: fc.constantFrom(0, 1, 2, 9007199254740991),
    lastTransitionTime: fc.constantFrom("2020-01-01T00:00:00Z", "2021-06-05T04:03:02Z", "0001-01-01T00:00:00Z"),
  },
  { requiredKeys: ["type", "status", "reason", "message"] },
);
const step = fc.oneof(
  { weight: 5, arbitrary: newCondition.map((set) => ({ set })) },
  { weight: 1, arbitrary: type.map((remove) => ({ remove })) },
);
const recorded = recordedAnswers<readonly [readonly Step[], readonly Answer[]]>("conditions", () =>
  fc.sample(fc.array(step, { minLength: 1, maxLength: 10 }), { numRuns: 150, seed: 35 }),
);

function answerTo(steps: readonly Step[]): readonly Answer[] {
  let conditions: Condition[] | undefined;
  return steps.map((each) => {
    const type = "set" in each ? each.set.type : each.remove;
    const change = "set" in each ? setCondition(conditions, each.set, NOW) : removeCondition(conditions, type);
    conditions = change.conditions;
    return {
      ...change,
      found: findCondition(conditions, type) !== undefined,
      isTrue: isConditionTrue(conditions, type),
      isFalse: isConditionFalse(conditions, type),
      isUnknown: isConditionPresentAndEqual(conditions, type, "Unknown"),
    };
  });
}

describe("conditions", () => {
  it("are what Go's apimachinery leaves after any sequence of changes", () => {
    expect(recorded.length).toBe(150);
    expect(recorded.filter(([steps, answers]) => !isEqual(answerTo(steps), answers))).toEqual([]);
  });

  it("are never modified in place", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let conditions: readonly Condition[] = [];
        for (const each of steps) {
          const before = structuredClone(conditions);
          const frozen = Object.freeze(conditions.map((condition) => Object.freeze(condition)));
          const change =
            "set" in each ? setCondition(frozen, Object.freeze(each.set), NOW) : removeCondition(frozen, each.remove);
          expect(frozen).toEqual(before);
          expect(change.conditions).not.toBe(frozen);
          conditions = change.conditions;
        }
      }),
    );
  });
});

describe("setCondition", () => {
  it("keeps the time of the transition while the status stays the same", () => {
    const { conditions, changed } = setCondition(
      [READY],
      {
        type: "Ready",
        status: "True",
        reason: "Busy",
        message: "",
        observedGeneration: 2,
        lastTransitionTime: "2026-02-02T00:00:00Z",
      },
      NOW,
    );
    expect(changed).toBe(true);
    expect(conditions).toEqual([{ ...READY, reason: "Busy", message: "", observedGeneration: 2 }]);
  });

  it("takes the time from the clock, in whole seconds, when the status changes", () => {
    const { conditions } = setCondition([READY], { ...READY, status: "False", lastTransitionTime: undefined }, NOW);
    expect(conditions).toEqual([{ ...READY, status: "False", lastTransitionTime: "2026-05-04T03:02:01Z" }]);
  });

  it("reports no change, and returns the same conditions, when all is as before", () => {
    const { lastTransitionTime: _lastTransitionTime, ...same } = READY;
    const { conditions, changed } = setCondition([READY], same, NOW);
    expect(changed).toBe(false);
    expect(conditions[0]).toBe(READY);
  });

  it("changes the first of several conditions of one type, and leaves the others", () => {
    const second = { ...READY, message: "second" };
    const { conditions } = setCondition([READY, second], { ...READY, message: "first" }, NOW);
    expect(conditions).toEqual([{ ...READY, message: "first" }, second]);
  });

  it("keeps fields of a condition that it does not know", () => {
    const extended = { ...READY, severity: "Info" };
    expect(setCondition([extended], { ...READY, message: "new" }, NOW).conditions).toEqual([
      { ...extended, message: "new" },
    ]);
  });

  it("uses the system's clock unless a time is given", () => {
    const before = Math.floor(Date.now() / 1000) * 1000;
    const { conditions } = setCondition(undefined, { type: "Ready", status: "True", reason: "Done", message: "" });
    expect(Date.parse(conditions[0]?.lastTransitionTime ?? "")).toBeGreaterThanOrEqual(before);
  });
});

describe("removeCondition", () => {
  it("removes all conditions of the type", () => {
    const other = { ...READY, type: "Other" };
    expect(removeCondition([READY, other, READY], "Ready")).toEqual({ conditions: [other], changed: true });
    expect(removeCondition([other], "Ready")).toEqual({ conditions: [other], changed: false });
    expect(removeCondition(undefined, "Ready")).toEqual({ conditions: [], changed: false });
  });
});

describe("the questions about conditions", () => {
  it("are answered for conditions of built-in kinds, whose status is any string", () => {
    const conditions = [{ type: "Progressing", status: "True" as string }];
    expect(isConditionTrue(conditions, "Progressing")).toBe(true);
    expect(isConditionFalse(conditions, "Progressing")).toBe(false);
    expect(findCondition(conditions, "Progressing")).toBe(conditions[0]);
    expect(isConditionTrue(undefined, "Progressing")).toBe(false);
    expect(isConditionPresentAndEqual(conditions, "Missing", "Unknown")).toBe(false);
  });
});

function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
