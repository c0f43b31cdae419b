import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { THROWN_VALUES } from "../../../k8s/test/failures/thrown-values.ts";
import { createFinalizers } from "../../src/finalizer/finalizers.ts";
import { funcs } from "../../src/handler/event-handler.ts";
import type { LeaderElectionLock, LeaderElectionRecord } from "../../src/leader-election/leader-election-lock.ts";
import { DEFAULT_TIMING, LeaderElector } from "../../src/leader-election/leader-elector.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createEventBroadcaster, type EventBroadcasterOptions } from "../../src/recorder/event-broadcaster.ts";
import type { RecordedEvent } from "../../src/recorder/event-recorder.ts";
import { EventChannel } from "../../src/source/event-channel.ts";
import { channel, type SourceContext } from "../../src/source/source.ts";

const object = ConfigMap.create({ metadata: { name: "a", namespace: "default", uid: "u" } });
const EVENT = { type: "Normal", reason: "Tested", action: "Test", note: "a note" } as const;

/** A lock that nobody else holds. */
function freeLock(more: Partial<LeaderElectionLock>): LeaderElectionLock {
  let record: LeaderElectionRecord | undefined;
  const write = async (next: LeaderElectionRecord): Promise<void> => {
    record = next;
  };
  return {
    identity: "me",
    describe: () => "default/lock",
    get: async () => record,
    create: write,
    update: write,
    recordEvent: () => undefined,
    ...more,
  };
}

describe.each(Object.entries(THROWN_VALUES))("guarantee 27: %s", (_, create) => {
  const fail = (): never => {
    throw create();
  };

  it("is a failed finalizer, and does not keep the others from running", async () => {
    const finalizers = createFinalizers<ConfigMap>();
    finalizers.register("example.com/sync", fail);
    finalizers.register("example.com/async", async () => fail());
    finalizers.register("example.com/last", async () => undefined);
    const keys = ["example.com/sync", "example.com/async", "example.com/last"];
    const deleted = {
      ...object,
      metadata: { ...object.metadata, deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: keys },
    };
    const { object: rest, error } = await finalizers.finalize(deleted as never);
    expect(rest.metadata.finalizers).toEqual(keys.slice(0, 2));
    expect([...(error?.failures.keys() ?? [])]).toEqual(keys.slice(0, 2));
    expect(error?.code).toBe("CONTROLLER_FINALIZE");
  });

  it("never comes out of a recorder of events, and the next events are written", async () => {
    const written: string[] = [];
    let isFailing = true;
    const client: EventBroadcasterOptions["client"] = {
      create: async (event: { readonly reason?: string }) => {
        if (isFailing) fail();
        written.push(event.reason ?? "");
        return event;
      },
      patch: async () => fail(),
    };
    const clock = new FakeClock();
    const log = createRecordingLogger();
    const broadcaster = createEventBroadcaster({ client, clock, log, hostname: "h" });
    const recorder = broadcaster.recorder("c");
    const failingObject = Object.defineProperty({ ...object }, "metadata", { get: fail });
    const failingEvent = Object.defineProperty({ ...EVENT }, "note", { get: fail }) as RecordedEvent;
    expect(() => {
      recorder.event(failingObject, EVENT);
      recorder.event(object, failingEvent);
      recorder.event(object, EVENT);
    }).not.toThrow();
    await clock.advance(1000);
    isFailing = false;
    recorder.event(object, { ...EVENT, reason: "After" });
    await clock.advance(60_000);
    expect(written).toContain("After");
    expect(log.records.some(({ severity }) => severity === "error")).toBe(true);
    const stopped = broadcaster.stop();
    await clock.advance(60_000);
    await stopped;
  });

  it("drops only its event of a channel", async () => {
    const seen: string[] = [];
    const log = createRecordingLogger();
    const events = new EventChannel<ConfigMap>();
    const source = channel<ConfigMap>({
      channel: events,
      handler: funcs<ConfigMap>({
        generic: ({ object: { metadata } }) => {
          seen.push(metadata.name ?? "");
          if (metadata.name !== "last") fail();
        },
      }),
    });
    const stop = new AbortController();
    await source.start({ log, signal: stop.signal, clock: new FakeClock(), queue: {} } as unknown as SourceContext);
    for (const name of ["first", "last"]) {
      await events.send({ object: ConfigMap.create({ metadata: { name } }) });
    }
    await expect.poll(() => seen).toEqual(["first", "last"]);
    await expect.poll(() => log.records.filter(({ severity }) => severity === "error")).toHaveLength(1);
    stop.abort();
  });

  it("does not cost a lease if a callback or the lock throws it", async () => {
    const clock = new FakeClock();
    const log = createRecordingLogger();
    const stop = new AbortController();
    let isFirst = true;
    const lock = freeLock({ recordEvent: fail });
    const events: string[] = [];
    const elector = new LeaderElector({
      ...DEFAULT_TIMING,
      lock: {
        ...lock,
        get: async (...args) => {
          if (!isFirst) return await lock.get(...args);
          isFirst = false;
          return fail();
        },
      },
      clock,
      log,
      releaseOnCancel: false,
      onRenewed: fail,
      onNewLeader: fail,
      onStartedLeading: () => events.push("started"),
      onStoppedLeading: () => events.push("stopped"),
    });
    const running = elector.run(stop.signal);
    await clock.advance(DEFAULT_TIMING.retryPeriodMs * 3);
    expect(events).toEqual(["started"]);
    await clock.advance(DEFAULT_TIMING.leaseDurationMs * 3);
    expect([events, elector.isLeader()]).toEqual([["started"], true]);
    stop.abort();
    await clock.advance(DEFAULT_TIMING.retryPeriodMs);
    await running;
    expect(events).toEqual(["started", "stopped"]);
  });

  it("ends the election, and the caller learns of it, if the start of the leader throws it", async () => {
    const thrown = create();
    const events: string[] = [];
    const elector = new LeaderElector({
      ...DEFAULT_TIMING,
      lock: freeLock({}),
      clock: new FakeClock(),
      log: createRecordingLogger(),
      releaseOnCancel: false,
      onStartedLeading: () => {
        throw thrown;
      },
      onStoppedLeading: () => events.push("stopped"),
    });
    const end = await elector.run(new AbortController().signal).then(
      () => "resolved",
      (error: unknown) => (error === thrown ? "rejected with it" : "rejected with another error"),
    );
    expect([end, events]).toEqual(["rejected with it", ["stopped"]]);
  });
});
