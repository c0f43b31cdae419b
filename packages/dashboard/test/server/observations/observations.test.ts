import type { Observation } from "@kubescaffold/runtime";
import { describe, expect, it } from "vitest";

import type { DashboardMessage } from "../../../src/server/contract/protocol.ts";
import { ObservationReader } from "../../../src/server/observations/observations.ts";

function read(...observations: readonly Observation[]) {
  const messages: DashboardMessage[] = [];
  const reader = new ObservationReader((message) => void messages.push(message));
  observations.forEach((each) => reader.read(each));
  return { messages, reader };
}

const target = { controller: "c", reconcileId: "r1", namespace: "default", name: "a" };
const started: Observation = { kind: "reconcile-started", at: 1, ...target };
const write = (
  resourceVersion: string,
  change: Partial<Extract<Observation, { kind: "request" }>> = {},
): Observation => ({
  kind: "request",
  at: 2,
  durationMs: 3,
  reconcileId: "r1",
  verb: "patch",
  usedVerbs: ["patch"],
  group: "apps",
  version: "v1",
  resource: "deployments",
  subresource: "status",
  namespace: "default",
  name: "a",
  isDryRun: false,
  status: 200,
  resourceVersion,
  ...change,
});
const ended = (durationMs: number, reconcileId = "r1"): Observation => ({
  kind: "reconcile-ended",
  at: 1,
  ...target,
  reconcileId,
  durationMs,
  outcome: "success",
});
const sample = (at: number, reconciles: number): Observation => ({
  kind: "controller",
  at,
  controller: "c",
  queueDepth: 1,
  activeWorkers: 2,
  maxWorkers: 3,
  reconciles,
  errors: 0,
});

describe("the record of a reconcile", () => {
  it("marks the writes that the manager reports as unchanged, and no others", () => {
    const { messages } = read(
      started,
      write("7", { verb: "create", status: 201 }),
      write("7", { verb: "patch", isUnchanged: true }),
      write("8", { verb: "update" }),
      // A version that another client of the manager wrote says nothing.
      write("8", { verb: "update" }),
      ended(5),
    );
    const last = messages.at(-1);
    const writes = last?.type === "reconcile" ? last.writes : [];
    expect(writes.map(({ verb, isUnchanged }) => [verb, isUnchanged ?? false])).toEqual([
      ["create", false],
      ["patch", true],
      ["update", false],
      ["update", false],
    ]);
  });

  it("has its trigger from the start to the end", () => {
    const trigger = { reason: "retry" } as const;
    const { messages } = read({ ...started, trigger }, { ...ended(5), trigger } as Observation);
    expect(messages).toMatchObject([
      { outcome: "running", trigger },
      { outcome: "success", trigger },
    ]);
  });

  it("replaces itself, with the writes so far and then the outcome", () => {
    const { messages, reader } = read(started, write("7"), ended(5));
    const expected = { at: 2, verb: "patch", resource: "deployments.apps/status", namespace: "default", name: "a" };
    const writes = [{ ...expected, status: 200, durationMs: 3, resourceVersion: "7" }];
    const record = { type: "reconcile", id: "r1", controller: "c", namespace: "default", name: "a", startedAt: 1 };
    expect(messages).toEqual([
      { ...record, outcome: "running", writes: [] },
      { ...record, outcome: "running", writes },
      { ...record, outcome: "success", durationMs: 5, writes },
    ]);
    expect(reader.authorOf("7")).toEqual({ controller: "c", reconcileId: "r1" });
    expect(reader.authorOf("8")).toBeUndefined();
  });

  it("has no reads, dry runs, and requests of others", () => {
    const { messages } = read(
      started,
      write("7", { verb: "get" }),
      write("7", { isDryRun: true }),
      write("7", { reconcileId: "r2" }),
    );
    expect(messages).toHaveLength(1);
  });

  it("ends with the manager", () => {
    const { messages, reader } = read(started);
    reader.managerEnded();
    expect(messages.at(-1)).toMatchObject({ id: "r1", outcome: "error", error: expect.stringContaining("manager") });
    reader.managerEnded();
    expect(messages).toHaveLength(2);
  });
});

describe("the sample of a controller", () => {
  it("has the rate and the percentiles since the one before", () => {
    const durations = Array.from({ length: 100 }, (_, index) => ended(index + 1, `r${String(index)}`));
    const { messages } = read(sample(1000, 50), ...durations, sample(3000, 150));
    expect(messages[0]).toMatchObject({ type: "controller", rate: 0, queueDepth: 1 });
    expect(messages[0]).not.toHaveProperty("p50Ms");
    expect(messages.at(-1)).toMatchObject({ rate: 50, p50Ms: 50, p90Ms: 90, p99Ms: 99, reconciles: 150 });
  });

  it("does not count conflicts as errors", () => {
    const conflict = { outcome: "error", error: "the object has been modified", errorCode: "Conflict" } as const;
    const failed = { outcome: "error", error: "no quota" } as const;
    const { messages } = read({ ...ended(1), ...conflict }, { ...ended(1), ...conflict }, { ...ended(1), ...failed }, {
      ...sample(1000, 3),
      errors: 3,
    } as Observation);
    expect(messages.at(-1)).toMatchObject({ type: "controller", errors: 1 });
  });

  it("has the percentiles of before without new reconciles, and no negative rate after a restart", () => {
    const { messages } = read(sample(1000, 50), ended(8), sample(2000, 51), sample(3000, 0));
    expect(messages.at(-1)).toMatchObject({ rate: 0, p50Ms: 8 });
  });
});

it("leaves out a review that is large", () => {
  const request = {
    uid: "u",
    operation: "CREATE",
    object: { kind: "Widget", metadata: { name: "w" }, spec: { text: "x".repeat(70_000) } },
  };
  const call: Observation = {
    kind: "webhook",
    at: 1,
    durationMs: 2,
    path: "/p",
    purpose: "admit",
    request,
    response: { allowed: true },
  };
  const { messages } = read(call);
  expect(messages).toMatchObject([
    { type: "webhook", id: "u", kind: "Widget", name: "w", purpose: "validate", isAllowed: true },
  ]);
  expect(messages[0]).not.toHaveProperty("request");
});
