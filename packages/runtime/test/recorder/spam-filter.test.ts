import { Event } from "@kubescaffold/k8s/events/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { expect, it } from "vitest";

import { createEventBroadcaster } from "../../src/recorder/event-broadcaster.ts";
import { createEventSpamFilter } from "../../src/recorder/spam-filter.ts";

function event(uid: string, more: Partial<Event> = {}): Event {
  return Event.create({
    metadata: { name: "a", namespace: "default" },
    eventTime: "2026-01-01T00:00:00.000000Z",
    type: "Warning",
    reportingController: "guestbook",
    regarding: { kind: "Pod", name: "web", namespace: "default", uid },
    ...more,
  });
}

it("allows 25 events about an object at once, and one more in 5 minutes", () => {
  const clock = new FakeClock();
  const filter = createEventSpamFilter({ clock });
  const allowed = (count: number): number =>
    Array.from({ length: count }, () => filter(event("1"))).filter((isDropped) => !isDropped).length;
  expect(allowed(40)).toBe(25);
  clock.step(299_000);
  expect(allowed(1)).toBe(0);
  clock.step(1000);
  expect(allowed(5)).toBe(1);
  clock.step(3_000_000);
  expect(allowed(40)).toBe(10);
  clock.step(30_000_000);
  expect(allowed(40)).toBe(25);
});

it("limits each object, source, and type by itself", () => {
  const filter = createEventSpamFilter({ burst: 1, clock: new FakeClock() });
  const events = [event("1"), event("2"), event("1", { type: "Normal" }), event("1", { reportingController: "other" })];
  expect(events.map((each) => filter(each))).toEqual([false, false, false, false]);
  expect(events.map((each) => filter(each))).toEqual([true, true, true, true]);
});

it("forgets the object that was used the longest ago", () => {
  const filter = createEventSpamFilter({ burst: 1, maxEntries: 2, clock: new FakeClock() });
  expect(["1", "2", "1", "3", "1", "2"].map((uid) => filter(event(uid)))).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ]);
});

it("limits the events that a broadcaster creates, not the counts of repeated ones", async () => {
  const clock = new FakeClock();
  const written: string[] = [];
  const broadcaster = createEventBroadcaster({
    clock,
    filter: createEventSpamFilter({ burst: 2, clock }),
    client: {
      create: async (object) => {
        written.push(object.reason ?? "");
        return object;
      },
      patch: async (object) => {
        written.push(`${object.reason ?? ""} again`);
        return object;
      },
    },
  });
  const recorder = broadcaster.recorder("guestbook");
  const pod = { apiVersion: "v1", kind: "Pod", metadata: { name: "web", namespace: "default" } };
  const report = (reason: string): void => recorder.event(pod, { type: "Normal", reason, action: "Run", note: "" });
  for (const reason of ["A", "B", "C", "A"]) {
    report(reason);
  }
  await broadcaster.stop();
  expect(written.toSorted()).toEqual(["A", "A again", "B"]);
});
