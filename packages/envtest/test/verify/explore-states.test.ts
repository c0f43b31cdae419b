import { describe, expect, it } from "vitest";

import type { PhaseRecord } from "../../src/oracles/oracles.ts";
import { expectedPhases } from "../../src/verify/explore-states.ts";
import { BASE_STEPS, type Schedule, unobservedSchedules } from "../../src/verify/schedule.ts";

const STATUS = { title: "a" };
const WEB = { kind: "Web", spec: { title: "a" }, status: STATUS };

function phase(kind: PhaseRecord["kind"], step: string, rest: Partial<PhaseRecord> = {}): PhaseRecord {
  return { kind, step, state: new Map([["webs default/web", WEB]]), deletions: [], missing: [], exits: [], ...rest };
}

const CREATED = phase("create", "create", { deletions: ["jobs.batch default/setup"] });
const DELETED = phase("delete", "delete", { state: new Map(), deletions: ["configmaps default/page"] });
const AGAIN = phase("create", "create again");
const REACHED = [CREATED, DELETED, AGAIN];
const CHANGE = { sample: 0, path: ["spec", "title"], value: "b" };

describe("expectedPhases", () => {
  const [recreation, change] = unobservedSchedules([CHANGE]).map((schedule) => expectedPhases(schedule, REACHED));

  it("are those of the reference for its own steps", () => {
    expect(expectedPhases({ changes: [], steps: BASE_STEPS }, REACHED)).toEqual(REACHED);
  });

  it("end with the deletion when the samples are deleted during a write", () => {
    const schedule: Schedule = {
      changes: [],
      steps: [{ kind: "create" }],
      perturbation: { kind: "deletion", write: "create configmaps default/page", occurrence: 1, number: 1 },
    };
    expect(expectedPhases(schedule, REACHED)).toEqual([DELETED]);
  });

  it("are the created state after an unobserved recreation, which may delete what a deletion deletes", () => {
    expect(recreation).toEqual([
      CREATED,
      { ...CREATED, deletions: ["jobs.batch default/setup", "configmaps default/page"] },
      DELETED,
    ]);
  });

  it("are the created state without statuses after an unobserved change", () => {
    expect(change?.[1]?.deletions).toEqual(CREATED.deletions);
    expect([...(change?.[1]?.state ?? [])]).toEqual([["webs default/web", { ...WEB, status: undefined }]]);
  });

  it("are none if the reference did not reach its deletion", () => {
    expect(expectedPhases({ changes: [], steps: BASE_STEPS }, [CREATED])).toEqual([]);
  });
});
