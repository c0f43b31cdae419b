import { describe, expect, it } from "vitest";

import { filterReconciles, isFailure, reconcileFilterOf } from "../../../src/page/controllers/filter-reconciles.ts";
import { chartData } from "../../../src/page/controllers/series.ts";
import { barAt, timelineLanes, timelineTicks } from "../../../src/page/controllers/timeline.ts";
import type { ControllerSample, ReconcileRecord } from "../../../src/page/feed/protocol.ts";

const WINDOW = { from: 0, to: 1000, width: 500 };

function record(id: string, more: Partial<ReconcileRecord> = {}): ReconcileRecord {
  return {
    type: "reconcile",
    id,
    controller: "c",
    namespace: "ns",
    name: id,
    startedAt: 100,
    durationMs: 100,
    outcome: "success",
    writes: [],
    ...more,
  };
}

describe("the timeline", () => {
  it("places bars by time, in a lane for each controller", () => {
    const lanes = timelineLanes([record("a"), record("b", { controller: "unknown" })], ["c", "idle"], WINDOW);
    expect(lanes.map(({ controller, bars, tracks }) => [controller, bars.length, tracks])).toEqual([
      ["c", 1, 1],
      ["idle", 0, 1],
    ]);
    expect(lanes[0]?.bars[0]).toMatchObject({ x: 50, width: 50, track: 0 });
  });

  it("puts reconciles that run at the same time on tracks of their own", () => {
    const records = [record("a"), record("b", { startedAt: 150 }), record("c", { startedAt: 200 })];
    const [lane] = timelineLanes(records, ["c"], WINDOW);
    expect(lane?.bars.map(({ track }) => track)).toEqual([0, 1, 0]);
    expect(lane?.tracks).toBe(2);
  });

  it("shows a short reconcile, one that runs, and none outside of the window", () => {
    const records = [
      record("short", { durationMs: 0.1, startedAt: 999.9 }),
      record("running", { startedAt: 500, durationMs: undefined, outcome: "running" }),
      record("before", { startedAt: -500 }),
      record("after", { startedAt: 2000 }),
    ];
    const [lane] = timelineLanes(records, ["c"], WINDOW);
    const bars = new Map(lane?.bars.map((bar) => [bar.record.id, bar]));
    expect([...bars.keys()].toSorted()).toEqual(["running", "short"]);
    expect(bars.get("short")).toMatchObject({ x: 497, width: 3 });
    expect(bars.get("running")).toMatchObject({ x: 250, width: 250 });
  });

  it("finds the bar at a point", () => {
    const [lane] = timelineLanes([record("a")], ["c"], WINDOW);
    if (lane === undefined) throw new Error("no lane");
    expect(barAt(lane, 75, 0)?.record.id).toBe("a");
    expect(barAt(lane, 49, 0)?.record.id).toBe("a");
    expect(barAt(lane, 75, 1)).toBeUndefined();
    expect(barAt(lane, 150, 0)).toBeUndefined();
  });

  it("has ticks at round ages", () => {
    expect(timelineTicks({ from: 0, to: 300_000, width: 900 }).map(({ ageMs }) => ageMs)).toEqual(
      Array.from({ length: 11 }, (_unused, index) => index * 30_000),
    );
  });
});

describe("the filters of reconciles", () => {
  const records = [
    record("ok"),
    record("panicked", { outcome: "panic" }),
    record("later", { outcome: "requeue-after" }),
    record("written", {
      writes: [{ at: 1, verb: "patch", resource: "pods", namespace: "", name: "p", status: 200, durationMs: 1 }],
    }),
  ];
  it.each([
    [{}, ["written", "later", "panicked", "ok"]],
    [{ outcome: "error" }, ["panicked"]],
    [{ outcome: "requeue" }, ["later"]],
    [{ outcome: "writes" }, ["written"]],
    [{ object: "NS/wr" }, ["written"]],
    [{ controller: "other" }, []],
    [{ outcome: "nonsense" }, ["written", "later", "panicked", "ok"]],
  ])("%o", (params, expected) => {
    expect(filterReconciles(records, reconcileFilterOf(params)).map(({ id }) => id)).toEqual(expected);
  });
});

describe("the data of charts", () => {
  const sample = (at: number, rate: number, queueDepth: number): ControllerSample => ({
    type: "controller",
    at,
    controller: "c",
    queueDepth,
    activeWorkers: 0,
    maxWorkers: 1,
    reconciles: 1,
    errors: 0,
    rate,
  });

  it("holds values between samples, and lets rates fall to zero", () => {
    const samples = [sample(1000, 4, 2), sample(2000, 6, 3)];
    const latest = sample(2000, 6, 3);
    const [times, rates, depths, latencies] = chartData(
      new Map([["c", { latest, samples }]]),
      [
        { controller: "c", measure: "rate", title: "" },
        { controller: "c", measure: "queueDepth", title: "" },
        { controller: "c", measure: "p50Ms", title: "" },
      ],
      { from: 0, to: 5000 },
    );
    expect(times).toEqual([0, 1, 2, 3, 4, 5]);
    expect(rates).toEqual([null, 4, 6, 6, 0, 0]);
    expect(depths).toEqual([null, 2, 3, 3, 3, 3]);
    expect(latencies).toEqual([null, null, null, null, null, null]);
  });
});

describe("an update conflict", () => {
  const conflict = record("a", { outcome: "error", error: "the object has been modified", errorCode: "Conflict" });

  it("is no failure: it is repeated, as a requeue is", () => {
    expect(isFailure(conflict)).toBe(false);
    expect(isFailure(record("b", { outcome: "error", errorCode: "CLIENT_STATUS" }))).toBe(true);
    expect(isFailure(record("b", { outcome: "terminal-error", errorCode: "Conflict" }))).toBe(true);
  });

  it.each([
    ["error", []],
    ["requeue", [conflict]],
    ["", [conflict]],
  ])("is found by the filter '%s' accordingly", (outcome, expected) => {
    expect(filterReconciles([conflict], reconcileFilterOf({ outcome }))).toEqual(expected);
  });
});
