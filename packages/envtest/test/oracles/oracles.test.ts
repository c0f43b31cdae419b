import { describe, expect, it } from "vitest";

import { NoiseMask } from "../../src/oracles/compare-states.ts";
import { type PhaseRecord, type RunRecord, violationsAgainst, violationsOf } from "../../src/oracles/oracles.ts";
import { missingReadiness } from "../../src/oracles/readiness.ts";

const EMPTY = new Map<string, unknown>();
const WEB = "deployments.apps default/web";
const CREATE: PhaseRecord = {
  kind: "create",
  step: "create the samples",
  state: new Map([[WEB, { spec: { replicas: 1 } }]]),
  deletions: [],
  missing: [],
  exits: [],
};
const DELETE: PhaseRecord = { ...CREATE, kind: "delete", step: "delete the samples", state: EMPTY, deletions: [WEB] };
const CLEAN: RunRecord = { phases: [CREATE, DELETE], denied: [], initial: EMPTY };
const NO_NOISE = new NoiseMask([]);

function found(run: RunRecord, noise: NoiseMask = NO_NOISE): readonly string[] {
  return violationsAgainst(run, { reference: CLEAN, noise }).map(({ oracle, object }) => `${oracle} ${object}`.trim());
}

function withCreation(changed: Partial<PhaseRecord>): RunRecord {
  return { ...CLEAN, phases: [{ ...CREATE, ...changed }, DELETE] };
}

describe("oracles", () => {
  it("find nothing in a run like the reference, nor in its beginning", () => {
    expect(violationsOf(CLEAN)).toEqual([]);
    expect(found(CLEAN)).toEqual([]);
    expect(found({ ...CLEAN, phases: [CREATE] })).toEqual([]);
  });

  it.each([
    ["another value", new Map([[WEB, { spec: { replicas: 2 } }]])],
    ["a missing object", EMPTY],
    ["an additional object", new Map([...CREATE.state, ["services default/web", {}]])],
  ])("find %s in the end state", (_name, state) => {
    expect(found(withCreation({ state }))).toEqual([`end-state ${state.size === 2 ? "services default/web" : WEB}`]);
  });

  it("ignore noise", () => {
    const noise = new NoiseMask([{ object: WEB, path: "spec.replicas" }]);
    expect(found(withCreation({ state: new Map([[WEB, { spec: { replicas: 2 } }]]) }), noise)).toEqual([]);
  });

  it("find an object that is left, but not one that was there before", () => {
    const left: RunRecord = { ...CLEAN, phases: [CREATE, { ...DELETE, state: CREATE.state }] };
    expect(found(left)).toEqual([`leftover ${WEB}`]);
    expect(found({ ...left, initial: CREATE.state })).toEqual([]);
  });

  it("report an owner that stays once, and not the objects that stay with it", () => {
    const missing = [{ object: "webs default/web", what: "it is not deleted: its finalizers are a/b" }];
    const stuck: RunRecord = { ...CLEAN, phases: [CREATE, { ...DELETE, state: CREATE.state, missing }] };
    expect(found(stuck)).toEqual(["deletion webs default/web"]);
  });

  it("find an object of a living owner that was deleted, unless the reference deletes it, too", () => {
    const replaced = withCreation({ deletions: [WEB] });
    expect(found(replaced)).toEqual([`replaced-object ${WEB}`]);
    expect(violationsAgainst(replaced, { reference: replaced, noise: NO_NOISE })).toEqual([]);
  });

  it("find writes at rest, an owner that is not ready, exits, and denied requests", () => {
    expect(found(withCreation({ unrest: "it repeats a write" }))).toEqual(["rest"]);
    expect(found(withCreation({ missing: [{ object: "webs default/web", what: "not ready" }] }))).toEqual([
      "ready webs default/web",
    ]);
    expect(found(withCreation({ exits: ["status 2"] }))).toEqual(["exit"]);
    expect(found({ ...CLEAN, denied: ["list secrets"] })).toEqual(["denied list secrets"]);
  });

  it("report nothing that the reference shows, too", () => {
    const reference: RunRecord = { ...CLEAN, denied: ["list secrets"] };
    expect(violationsAgainst(reference, { reference, noise: NO_NOISE })).toEqual([]);
  });
});

describe("missingReadiness", () => {
  const ready = { type: "Ready", status: "True" };
  const of = (status: object, condition?: string): readonly string[] =>
    missingReadiness({ metadata: { generation: 2 }, status }, condition);

  it.each([
    ["no status", {}, undefined],
    ["Ready", { conditions: [ready] }, undefined],
    ["Available", { conditions: [{ ...ready, type: "Available" }] }, undefined],
    ["Ready before Available", { conditions: [{ type: "Available", status: "False" }, ready] }, undefined],
    ["a condition of the user", { conditions: [{ ...ready, type: "Synced" }] }, "Synced"],
    ["a current generation", { observedGeneration: 2 }, undefined],
  ])("is complete with %s", (_name, status, condition) => {
    expect(of(status, condition)).toEqual([]);
  });

  it("names the condition with its reason, and a stale generation", () => {
    const conditions = [{ type: "Ready", status: "False", reason: "Waiting", message: "for Pods" }];
    expect(of({ conditions, observedGeneration: 1 })).toEqual([
      "the condition Ready is False (Waiting: for Pods)",
      "status.observedGeneration is 1, and the generation is 2",
    ]);
    expect(of({ conditions }, "Synced")).toEqual(["there is no condition Synced"]);
  });
});
