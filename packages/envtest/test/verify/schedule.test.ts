import { describe, expect, it } from "vitest";

import {
  describeSchedule,
  lateSchedules,
  type Perturbation,
  perturbedSchedules,
  unobservedSchedules,
} from "../../src/verify/schedule.ts";

const WRITES = [
  { step: 0, content: "create configmaps default/web 0d5a17c2b9ee" },
  { step: 0, content: "update webs.example.com/status default/web 1d5a17c2b9ee" },
  { step: 1, content: "delete configmaps default/web 2d5a17c2b9ee" },
  { step: 2, content: "create configmaps default/web 0d5a17c2b9ee" },
  { step: 2, content: "create services default/web 3d5a17c2b9ee" },
];

function nameOf(perturbation: Perturbation | undefined): string {
  if (perturbation === undefined || perturbation.kind === "late-events") return "";
  return `${perturbation.kind} ${String(perturbation.number)}`;
}

describe("perturbedSchedules", () => {
  const schedules = perturbedSchedules(WRITES, ["crash", "lost-answer", "late-answer", "deletion"]);

  it("perturb each content once with each kind of fault, and delete the samples in writes of their creation", () => {
    expect(schedules.map(({ perturbation }) => nameOf(perturbation))).toEqual([
      ...[1, 2, 3, 5].map((number) => `crash ${String(number)}`),
      ...[1, 2, 3, 5].map((number) => `lost-answer ${String(number)}`),
      ...[1, 2, 3, 5].map((number) => `late-answer ${String(number)}`),
      ...[1, 2].map((number) => `deletion ${String(number)}`),
    ]);
  });

  it("delete the samples, so that leftovers are found, and create them again only for a write of that step", () => {
    expect(schedules.slice(0, 4).map(({ steps }) => steps.length)).toEqual([2, 2, 2, 3]);
  });

  it("are described without the digest of the content", () => {
    expect(schedules.slice(0, 1).map(describeSchedule)).toEqual([
      "after a crash after write 1, create configmaps default/web",
    ]);
    expect(schedules.slice(-1).map(describeSchedule)).toEqual([
      "after the deletion of the samples during write 2, update webs.example.com/status default/web",
    ]);
  });

  it("end with a deletion of the samples during a write, since nothing is created", () => {
    expect(schedules.slice(-2).map(({ steps }) => steps)).toEqual([[{ kind: "create" }], [{ kind: "create" }]]);
  });
});

describe("unobservedSchedules", () => {
  const change = { sample: 0, path: ["spec", "title"], value: "b" };
  const schedules = unobservedSchedules([change]);

  it("recreate the samples, and change each field and change it back, between the creation and the deletion", () => {
    expect(schedules.map(({ steps }) => steps.map(({ kind }) => kind))).toEqual([
      ["create", "unobserved-recreation", "delete"],
      ["create", "unobserved-change", "delete"],
    ]);
  });

  it("are described with the step", () => {
    expect(schedules.map(describeSchedule)).toEqual([
      "after a step that the operator does not observe: delete and create the samples",
      'after a step that the operator does not observe: change spec.title to "b" and back',
    ]);
  });
});

describe("lateSchedules", () => {
  it("delay each watched resource once", () => {
    const watch = { verb: "watch", group: "apps", resource: "deployments" };
    const schedules = lateSchedules([watch, watch, { group: "", resource: "services" }]);
    expect(schedules.map(describeSchedule)).toEqual([
      "after late events of deployments.apps",
      "after late events of services",
    ]);
  });
});
