import { describe, expect, it } from "vitest";

import { describeSchedule, perturbedSchedules } from "../../src/verify/schedule.ts";

const WRITES = [
  { step: 0, content: "create configmaps default/web 0d5a17c2b9ee" },
  { step: 0, content: "update webs.example.com/status default/web 1d5a17c2b9ee" },
  { step: 1, content: "delete configmaps default/web 2d5a17c2b9ee" },
  { step: 2, content: "create configmaps default/web 0d5a17c2b9ee" },
  { step: 2, content: "create services default/web 3d5a17c2b9ee" },
];

describe("perturbedSchedules", () => {
  const schedules = perturbedSchedules(WRITES);

  it("perturb each content once: first with crashes, then with lost and late answers", () => {
    expect(schedules.map(({ perturbation }) => `${perturbation?.kind ?? ""} ${String(perturbation?.number)}`)).toEqual([
      ...[1, 2, 3, 5].map((number) => `crash ${String(number)}`),
      ...[1, 2, 3, 5].map((number) => `lost-answer ${String(number)}`),
      ...[1, 2, 3, 5].map((number) => `late-answer ${String(number)}`),
    ]);
  });

  it("delete the samples, so that leftovers are found, and create them again only for a write of that step", () => {
    expect(schedules.slice(0, 4).map(({ steps }) => steps.length)).toEqual([2, 2, 2, 3]);
  });

  it("are described without the digest of the content", () => {
    expect(schedules.slice(0, 1).map(describeSchedule)).toEqual([
      "after a crash after write 1, create configmaps default/web",
    ]);
  });
});
