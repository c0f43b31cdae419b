import { describe, expect, it } from "vitest";

import { withoutEarlierRuns } from "../../src/verify/explore-changes.ts";

const RUN = { kind: "Job", spec: { completions: 1 } };
const OTHER_RUN = { kind: "Job", spec: { completions: 2 } };
const CONFIG = { kind: "ConfigMap", data: { color: "blue" } };

describe("withoutEarlierRuns", () => {
  it("removes Jobs of the value before the change, and no other objects", () => {
    const state = new Map<string, unknown>([
      ["jobs.batch default/first", RUN],
      ["configmaps default/page", CONFIG],
    ]);
    expect(withoutEarlierRuns(state, { expected: new Map() })).toEqual(new Map([["configmaps default/page", CONFIG]]));
  });

  it("keeps a Job that the new value leads to, whose run is not repeated", () => {
    const expected = new Map<string, unknown>([["jobs.batch default/first", OTHER_RUN]]);
    const state = new Map<string, unknown>([["jobs.batch default/first", RUN]]);
    expect(withoutEarlierRuns(state, { expected })).toEqual(expected);
  });

  it("does not add a Job that is missing", () => {
    const expected = new Map<string, unknown>([["jobs.batch default/first", RUN]]);
    expect(withoutEarlierRuns(new Map(), { expected })).toEqual(new Map());
  });
});
