import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
  requiredFieldValue,
} from "../../src/selectors/field-selector.ts";
import { recordedAnswers } from "../oracle/oracle.ts";

const SETS: Record<string, string>[] = [{}, { a: "1" }, { "metadata.name": "web", b: "a,b" }, { a: "", b: "=\\" }];
const EXAMPLES = [
  "",
  "a=1",
  "a==1",
  "a!=1",
  "metadata.name=web,a!=2",
  "b=a\\,b",
  "b=\\=\\\\",
  "a",
  "a=1=2",
  "a=\\x",
  "a=\\",
  ",,a=1,",
  "a = 1",
  "=1",
  "b!=a,b",
];
const fragment = fc.constantFrom(
  "a",
  "b",
  "=",
  "==",
  "!=",
  ",",
  "\\",
  "1",
  "metadata.name",
  "web",
  " ",
  "\\,",
  "\\=",
  "é",
);
const recorded = recordedAnswers<[{ selector: string; sets: typeof SETS }, unknown]>("field-selector", () =>
  [
    ...EXAMPLES,
    ...fc.sample(fc.array(fragment, { maxLength: 8 }), { numRuns: 1000, seed: 31 }).map((parts) => parts.join("")),
  ].map((selector) => ({ selector, sets: SETS })),
);

describe("parseFieldSelector", () => {
  it(`reads, prints and matches as upstream, with its messages, on ${recorded.length} recorded selectors`, () => {
    expect(recorded.length).toBeGreaterThan(1000);
    expect(recorded.map(([{ selector }]) => [selector, answer(selector)])).toEqual(
      recorded.map(([{ selector }, expected]) => [selector, expected]),
    );
  });
});

describe("requiredFieldValue", () => {
  it("returns the value that a selector demands", () => {
    const requirements = parseFieldSelector("metadata.name=web,spec.nodeName!=a");
    expect(requiredFieldValue(requirements, "metadata.name")).toBe("web");
    expect(requiredFieldValue(requirements, "spec.nodeName")).toBeUndefined();
  });
});

function answer(selector: string): unknown {
  try {
    const requirements = parseFieldSelector(selector);
    return {
      text: formatFieldSelector(requirements),
      matches: SETS.map((set) => matchesFields(requirements, (field) => set[field])),
    };
  } catch (error) {
    return { error: (error as Error).message };
  }
}
