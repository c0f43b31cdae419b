import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { LabelSelector } from "../../src/api/meta/v1.ts";
import type { SelectorError } from "../../src/failures/errors.ts";
import {
  formatLabelSelector,
  labelRequirements,
  matchesLabels,
  matchesLabelSelector,
  parseLabelSelector,
} from "../../src/selectors/label-selector.ts";
import { recordedAnswers } from "../oracle/oracle.ts";

type Answer = { error: string } | { text: string; matches: boolean[] };
const SETS: Record<string, string>[] = [
  {},
  { a: "1" },
  { a: "2", b: "x" },
  { a: "", "example.com/key": "v" },
  { in: "notin", x: "in", b: "10" },
];
const EXAMPLES = [
  "",
  "a",
  "!a",
  "a=1",
  "a==1",
  "a!=1",
  "a in (1,2)",
  "a notin (1)",
  "a>0",
  "a<2",
  "a=1,b=x",
  "b=x,a=1",
  "a in ()",
  "a in (,)",
  "a in (,1)",
  "a in (1,)",
  "a in (1,,2)",
  "in=notin",
  "x in (in)",
  "x=in",
  "in in (notin)",
  "example.com/key=v",
  " a = 1 ",
  "a=",
  "a=,b",
  "a,",
  ",a",
  "a b",
  "a=1 b",
  "=1",
  "a in 1",
  "a in (1",
  "a in (1 2)",
  "a in (=)",
  "a>x",
  "a>1,a<3",
  "a=-",
  "-a=1",
  "a/b/c=1",
  "!a=1",
  "!!a",
  "a===1",
  "a=!b",
  "a!b",
  "(",
  "a in",
  "a notin (",
  "a!",
  "a in (1),b",
  "/a=1",
  "EXAMPLE/a=1",
  `${"k".repeat(64)}=1`,
  `a=${"v".repeat(64)}`,
  "a\t=\n1",
  "a<>1",
  "a=(1)",
  "a in ((1))",
  "a in (in,notin)",
];
const fragment = fc.constantFrom(
  "a",
  "b",
  "x",
  "in",
  "notin",
  "=",
  "==",
  "!=",
  "!",
  ",",
  "(",
  ")",
  ">",
  "<",
  " ",
  "1",
  "10",
  "example.com/key",
  "-",
  "",
  "é",
);
const recorded = recordedAnswers<[{ selector: string; sets: typeof SETS }, Answer]>("label-selector", () =>
  [
    ...EXAMPLES,
    ...fc.sample(fc.array(fragment, { maxLength: 9 }), { numRuns: 1500, seed: 21 }).map((parts) => parts.join("")),
  ].map((selector) => ({ selector, sets: SETS })),
);

const requirement = fc.record({
  key: fc.constantFrom("a", "b", "-bad", "example.com/key"),
  operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist", "Other"),
  values: fc.array(fc.constantFrom("1", "2", "", "x", "_bad"), { maxLength: 2 }),
});
const objects = recordedAnswers<[{ selector: LabelSelector | null; sets: typeof SETS }, Answer]>(
  "object-selector",
  () =>
    [
      null,
      {},
      { matchLabels: {} },
      { matchLabels: { a: "1" } },
      { matchLabels: { a: "bad value" } },
      ...fc.sample(
        fc.record({
          matchLabels: fc.dictionary(fc.constantFrom("a", "b"), fc.constantFrom("1", "x"), { maxKeys: 2 }),
          matchExpressions: fc.array(requirement, { maxLength: 2 }),
        }),
        { numRuns: 500, seed: 22 },
      ),
    ].map((selector) => ({ selector, sets: SETS })),
);

describe("parseLabelSelector", () => {
  it(`reads, prints and matches as upstream, with its messages, on ${recorded.length} recorded selectors`, () => {
    expect(recorded.length).toBeGreaterThan(1500);
    expect(recorded.map(([{ selector }]) => [selector, answer(() => parseLabelSelector(selector))])).toEqual(
      recorded.map(([{ selector }, expected]) => [selector, expected]),
    );
  });
});

describe("labelRequirements", () => {
  it(`understands the selectors of objects as upstream, on ${objects.length} recorded ones`, () => {
    const present = objects.filter(([{ selector }]) => selector !== null);
    expect(present.map(([{ selector }]) => answer(() => labelRequirements(selector ?? {})))).toEqual(
      present.map(([, expected]) => expected),
    );
  });
});

describe("matchesLabelSelector", () => {
  it("chooses nothing when absent and everything when empty", () => {
    expect(matchesLabelSelector(undefined, { a: "1" })).toBe(false);
    expect(matchesLabelSelector(null, {})).toBe(false);
    expect(matchesLabelSelector({}, undefined)).toBe(true);
  });

  it("does not take a member of every object for a label", () => {
    expect(matchesLabels(parseLabelSelector("constructor"), {})).toBe(false);
  });
});

function answer(parse: () => ReturnType<typeof parseLabelSelector>): unknown {
  try {
    const requirements = parse();
    return { text: formatLabelSelector(requirements), matches: SETS.map((set) => matchesLabels(requirements, set)) };
  } catch (error) {
    return { error: (error as SelectorError).message };
  }
}
