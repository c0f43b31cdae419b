import { FakeClock } from "@kubescaffold/platform/clock";
import { beforeEach, describe, expect, it } from "vitest";

import { type CountedEvent, EventCorrelator } from "../../../src/controllers/workload/event-correlator.ts";

let clock: FakeClock;
let correlator: EventCorrelator;

beforeEach(() => {
  clock = new FakeClock();
  correlator = new EventCorrelator(clock);
});

function eventOf(message: string, changes: Partial<CountedEvent> = {}): CountedEvent {
  return {
    name: `event of ${message}`,
    source: { component: "controller" },
    involvedObject: { kind: "Pod", namespace: "default", name: "p", uid: "1" },
    type: "Normal",
    reason: "Created",
    message,
    ...changes,
  };
}

function counts(...events: readonly CountedEvent[]): readonly (number | undefined)[] {
  return events.map((event) => correlator.correlate(event)?.count);
}

describe("the correlation of events", () => {
  it("counts equal events under the name and the time of the first", () => {
    const first = correlator.correlate(eventOf("a"));
    clock.step(60_000);
    const second = correlator.correlate(eventOf("a", { name: "other" }));
    expect([first?.count, second?.count]).toEqual([1, 2]);
    expect([second?.name, second?.firstTimestamp]).toEqual(["event of a", "2026-01-01T00:00:00Z"]);
  });

  it("keeps events of other sources, objects, fields, types, reasons, and messages apart", () => {
    const { involvedObject } = eventOf("a");
    const others: readonly CountedEvent[] = [
      eventOf("a"),
      eventOf("b"),
      eventOf("a", { source: { component: "other" } }),
      eventOf("a", { source: { component: "controller", host: "node" } }),
      eventOf("a", { involvedObject: { ...involvedObject, uid: "2" } }),
      eventOf("a", { involvedObject: { ...involvedObject, fieldPath: "spec.containers{c}" } }),
      eventOf("a", { type: "Warning" }),
      eventOf("a", { reason: "Deleted" }),
    ];
    expect(counts(...others)).toEqual(others.map(() => 1));
  });

  it("combines events whose messages alone differ, from the tenth on", () => {
    const all = Array.from({ length: 12 }, (_, index) => correlator.correlate(eventOf(`pod ${String(index)}`)));
    expect(all.map((each) => each?.count)).toEqual([...Array.from({ length: 10 }, () => 1), 2, 3]);
    expect(all[8]).toMatchObject({ message: "pod 8", isCombined: false });
    expect(all[11]).toMatchObject({
      message: "(combined from similar events): pod 11",
      name: "event of pod 9",
      isCombined: true,
    });
  });

  it("starts over when there was no similar event for ten minutes", () => {
    for (let index = 0; index < 9; index += 1) correlator.correlate(eventOf(`pod ${String(index)}`));
    clock.step(600_001);
    expect(correlator.correlate(eventOf("pod 9"))).toMatchObject({ message: "pod 9" });
  });

  it("drops events of a source about an object after 25 of them, until time has passed", () => {
    const similar = Array.from({ length: 25 }, () => eventOf("a"));
    expect(counts(...similar)).toEqual(similar.map((_, index) => index + 1));
    expect(counts(eventOf("a"), eventOf("a", { reason: "Deleted" }))).toEqual([undefined, undefined]);
    expect(counts(eventOf("a", { source: { component: "other" } }))).toEqual([1]);
    clock.step(300_000);
    expect(counts(eventOf("a"), eventOf("a"))).toEqual([27, undefined]);
  });

  it("forgets all of it", () => {
    expect(counts(eventOf("a"), eventOf("a"))).toEqual([1, 2]);
    correlator.clear();
    expect(counts(eventOf("a"))).toEqual([1]);
  });

  it("writes events that are counted as the same one after the other, also after a failure", async () => {
    const event = correlator.correlate(eventOf("a"));
    if (event === undefined) throw new TypeError("the first event was dropped");
    const steps: string[] = [];
    const write = (name: string, isFailing: boolean) => async (): Promise<void> => {
      steps.push(`start ${name}`);
      await Promise.resolve();
      steps.push(`end ${name}`);
      if (isFailing) throw new TypeError(name);
    };
    const results = await Promise.allSettled([
      correlator.write(event, write("first", true)),
      correlator.write(event, write("second", false)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
    expect(steps).toEqual(["start first", "end first", "start second", "end second"]);
  });
});
