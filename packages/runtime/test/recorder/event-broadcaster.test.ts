import { newAlreadyExists, newForbidden, newNotFound } from "@kubescaffold/k8s";
import type { Event } from "@kubescaffold/k8s/events/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import { createEventBroadcaster, type EventBroadcaster } from "../../src/recorder/event-broadcaster.ts";
import type { RecordedEvent } from "../../src/recorder/event-recorder.ts";
import { ConnectionError } from "../../src/rest/errors.ts";

interface Write {
  readonly verb: "create" | "patch";
  readonly event: Event;
  readonly body?: unknown;
}

interface Setup {
  readonly broadcaster: EventBroadcaster;
  readonly clock: FakeClock;
  readonly log: RecordingLogger;
  readonly writes: Write[];
}

function setUp(answer: (write: Write, index: number) => Promise<void> = () => Promise.resolve()): Setup {
  const writes: Write[] = [];
  const clock = new FakeClock();
  const log = createRecordingLogger();
  const write = async (each: Write): Promise<void> => {
    writes.push(each);
    await answer(each, writes.length - 1);
  };
  const broadcaster = createEventBroadcaster({
    clock,
    log,
    hostname: "host",
    client: {
      create: async (object) => {
        await write({ verb: "create", event: object });
        return object;
      },
      patch: async (object, patch) => {
        await write({ verb: "patch", event: object, body: patch.data(object) });
        return object;
      },
    },
  });
  return { broadcaster, clock, log, writes };
}

const POD: KubernetesObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "a", name: "pod", uid: "u", resourceVersion: "5" },
};
const STARTED: RecordedEvent = { type: "Normal", reason: "Started", action: "Start", note: "started the pod" };
const REFUSED = new ConnectionError("http://x", { failure: "refused", detail: "connection refused" });

describe("row 82: writing events", () => {
  it.each([
    ["an object without a kind", { metadata: { name: "x" } }],
    ["nothing", undefined],
  ])("an event about %s is logged, and its reporter does not notice", async (_, regarding) => {
    const { broadcaster, log, writes } = setUp();
    const recorder = broadcaster.recorder("guestbook");
    expect(() => recorder.event(regarding as unknown as KubernetesObject, STARTED)).not.toThrow();
    recorder.event(POD, STARTED);
    await settle();
    expect(log.records.map(({ message, fields }) => [message, fields["event"]])).toEqual([
      ["cannot record an event", STARTED],
    ]);
    expect(writes).toHaveLength(1);
  });

  it("an event has everything that a server demands", async () => {
    const { broadcaster, writes } = setUp();
    const related: KubernetesObject = { apiVersion: "v1", kind: "Node", metadata: { name: "n" } };
    broadcaster.recorder("guestbook").event(POD, { ...STARTED, related, annotations: { k: "v" } });
    await settle();
    const [write] = writes;
    expect(write?.verb).toBe("create");
    expect(write?.event.metadata.name).toMatch(/^pod\.[0-9a-f]+$/u);
    expect(write?.event).toMatchObject({
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { namespace: "a", annotations: { k: "v" } },
      eventTime: "2026-01-01T00:00:00.000000Z",
      type: "Normal",
      reason: "Started",
      action: "Start",
      note: "started the pod",
      reportingController: "guestbook",
      reportingInstance: "guestbook-host",
      regarding: { apiVersion: "v1", kind: "Pod", namespace: "a", name: "pod", uid: "u", resourceVersion: "5" },
      related: { apiVersion: "v1", kind: "Node", name: "n" },
    });
    expect(write?.event.series).toBeUndefined();
  });

  it("an event on a cluster-scoped object lives in default; long notes are cut and odd names replaced", async () => {
    const { broadcaster, writes } = setUp();
    const role: KubernetesObject = { apiVersion: "v1", kind: "ClusterRole", metadata: { name: "system:odd" } };
    broadcaster.recorder("x".repeat(200)).event(role, { ...STARTED, note: "é".repeat(600) });
    await settle();
    const event = writes[0]?.event;
    expect(event?.metadata).toMatchObject({ namespace: "default", name: expect.stringMatching(/^[0-9a-f-]{36}$/u) });
    expect(event?.note).toBe("é".repeat(512));
    expect(event?.reportingInstance).toHaveLength(128);
  });

  it("ten repetitions are one Event with their count after a flush", async () => {
    const { broadcaster, writes, clock } = setUp();
    const recorder = broadcaster.recorder("guestbook");
    for (let repetition = 0; repetition < 10; repetition += 1) {
      recorder.event({ ...POD, metadata: { ...POD.metadata, resourceVersion: String(repetition) } }, STARTED);
      await clock.advance(1000);
    }
    expect(writes.map(({ verb }) => verb)).toEqual(["create", "patch"]);
    expect(writes[1]?.body).toEqual({ series: { count: 2, lastObservedTime: "2026-01-01T00:00:01.000000Z" } });
    await broadcaster.stop();
    expect(writes).toHaveLength(3);
    expect(writes[2]?.body).toEqual({ series: { count: 10, lastObservedTime: "2026-01-01T00:00:09.000000Z" } });
    expect(new Set(writes.map(({ event }) => event.metadata.name)).size).toBe(1);
  });

  it.each([
    ["type", { ...STARTED, type: "Warning" }],
    ["reason", { ...STARTED, reason: "Other" }],
    ["action", { ...STARTED, action: "Other" }],
    ["related object", { ...STARTED, related: POD }],
  ] as const)("another %s is another Event, another note is not", async (_what, other) => {
    const { broadcaster, writes } = setUp();
    const recorder = broadcaster.recorder("guestbook");
    recorder.event(POD, STARTED);
    recorder.event(POD, other);
    recorder.event(POD, { ...STARTED, note: "in other words" });
    await broadcaster.stop();
    expect(writes.filter(({ verb }) => verb === "create")).toHaveLength(2);
  });

  it("counts are written every half hour while events repeat, and at the end of a series, which then is over", async () => {
    const { broadcaster, writes, clock } = setUp();
    const recorder = broadcaster.recorder("guestbook");
    for (let minute = 0; minute < 40; minute += 1) {
      recorder.event(POD, STARTED);
      await clock.advance(60_000);
    }
    expect(writes.map(({ verb }) => verb)).toEqual(["create", "patch", "patch"]);
    await clock.advance(13 * 60_000);
    expect(writes.at(-1)?.body).toMatchObject({ series: { count: 40 } });
    expect(clock.pendingTimers).toBe(0);
    recorder.event(POD, STARTED);
    await settle();
    expect(writes.at(-1)?.verb).toBe("create");
  });

  it("a series whose Event the server deleted is recreated with its count", async () => {
    const { broadcaster, writes } = setUp((write) =>
      write.verb === "patch" ? Promise.reject(newNotFound({ group: "", resource: "events" }, "x")) : Promise.resolve(),
    );
    const recorder = broadcaster.recorder("guestbook");
    recorder.event(POD, STARTED);
    await settle();
    recorder.event(POD, STARTED);
    await settle();
    expect(writes.map(({ verb }) => verb)).toEqual(["create", "patch", "create"]);
    expect(writes[2]?.event.series).toMatchObject({ count: 2 });
  });
});

describe("row 82: a server that does not take events", () => {
  it("an unreachable server is tried twelve times, ten seconds and more apart", async () => {
    const { broadcaster, writes, clock, log } = setUp(() => Promise.reject(REFUSED));
    broadcaster.recorder("guestbook").event(POD, STARTED);
    await settle();
    for (let tries = 1; tries < 12; tries += 1) {
      expect(writes).toHaveLength(tries);
      const delayMs = clock.nextDelayMs ?? 0;
      expect(delayMs).toBeGreaterThanOrEqual(10_000);
      expect(delayMs).toBeLessThanOrEqual(12_500);
      await clock.advance(delayMs);
    }
    expect(writes).toHaveLength(12);
    await clock.advance(60_000);
    expect(writes).toHaveLength(12);
    expect(log.records).toMatchObject([{ severity: "error", message: "cannot write an event", error: REFUSED }]);
  });

  it("a refusal is logged and not repeated, and an Event that is there already is no failure", async () => {
    const forbidden = setUp(() => Promise.reject(newForbidden({ group: "", resource: "events" }, "x", "no")));
    forbidden.broadcaster.recorder("guestbook").event(POD, STARTED);
    await forbidden.clock.advance(60_000);
    expect(forbidden.writes).toHaveLength(1);
    expect(forbidden.log.records).toHaveLength(1);
    const there = setUp(() => Promise.reject(newAlreadyExists({ group: "", resource: "events" }, "x")));
    there.broadcaster.recorder("guestbook").event(POD, STARTED);
    await there.clock.advance(60_000);
    expect(there.writes).toHaveLength(1);
    expect(there.log.records).toEqual([]);
  });

  it("recording never blocks: excess events are dropped with a log line", async () => {
    const { broadcaster, log, writes } = setUp(() => new Promise(() => undefined));
    const recorder = broadcaster.recorder("guestbook");
    for (let index = 0; index < 1100; index += 1) {
      recorder.event({ ...POD, metadata: { name: `pod-${String(index)}` } }, STARTED);
    }
    await settle();
    expect(writes).toHaveLength(8);
    expect(log.records).toHaveLength(1100 - 1000 - 8);
  });

  it("stop ends in time although the server does not answer, and later events are dropped", async () => {
    const { broadcaster, clock, writes } = setUp(() => new Promise(() => undefined));
    const recorder = broadcaster.recorder("guestbook");
    recorder.event(POD, STARTED);
    let isStopped = false;
    const stopped = broadcaster.stop({ timeoutMs: 3000 }).then(() => {
      isStopped = true;
    });
    await clock.advance(2999);
    expect(isStopped).toBe(false);
    await clock.advance(1);
    await stopped;
    recorder.event(POD, { ...STARTED, reason: "Late" });
    await settle();
    expect(writes).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  it("stop does not wait out the pause before the next try", async () => {
    const { broadcaster, clock, writes } = setUp((_write, index) =>
      index === 0 ? Promise.reject(REFUSED) : Promise.resolve(),
    );
    broadcaster.recorder("guestbook").event(POD, STARTED);
    await settle();
    await broadcaster.stop();
    expect(writes).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  it("without events nothing starts and stop ends at once", async () => {
    const { broadcaster, clock, writes } = setUp();
    broadcaster.recorder("guestbook");
    expect(clock.pendingTimers).toBe(0);
    await broadcaster.stop();
    expect(writes).toEqual([]);
  });
});
