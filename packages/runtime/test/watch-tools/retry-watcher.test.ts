import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import type { WatchEvent } from "../../src/client/client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { ConnectionError } from "../../src/rest/errors.ts";
import { RetryWatcher } from "../../src/watch-tools/retry-watcher.ts";
import { statusError } from "../support/fake-server.ts";
import { errorEvent, event, type Script, scripted } from "./watches.ts";

const REASON = new Error("the test has seen enough");

/** Iterates over a watcher whose watches follow scripts for ten minutes, and returns what arrived. */
async function run(scripts: readonly Script[]) {
  const clock = new FakeClock();
  const controller = new AbortController();
  const watcher = scripted(scripts, clock);
  const retrying = new RetryWatcher("10", watcher, { clock, log: silentLogger, signal: controller.signal });
  const events: WatchEvent[] = [];
  const collecting = (async () => {
    for await (const next of retrying) events.push(next);
  })();
  const settled = Promise.allSettled([collecting]);
  await clock.advance(600_000);
  controller.abort(REASON);
  const [end] = await settled;
  return { events, end, watcher, retrying, clock, versions: watcher.requests.map((each) => each.resourceVersion) };
}

const summary = (events: readonly WatchEvent[]): readonly string[] =>
  events.map(({ type, object }) =>
    type === "ERROR"
      ? `ERROR ${String((object as { code?: number }).code)}`
      : `${type} ${object.metadata.resourceVersion ?? ""}`,
  );

describe("watches that resume", () => {
  it.each(["", "0"])("the resourceVersion %j is refused", (resourceVersion) => {
    expect(() => new RetryWatcher(resourceVersion, scripted([]))).toThrow(
      expect.objectContaining({ code: "CLIENT_RESOURCE_VERSION_UNSUPPORTED" }),
    );
  });

  it("a watch that ends is reopened at the version of the last event, with bookmarks", async () => {
    const { events, watcher, versions, end } = await run([
      [event("ADDED", "11"), event("MODIFIED", "12")],
      [],
      [event("DELETED", "13")],
    ]);
    expect(summary(events)).toEqual(["ADDED 11", "MODIFIED 12", "DELETED 13"]);
    expect(versions).toEqual(["10", "12", "12", "13"]);
    expect(watcher.requests.every((request) => request.allowWatchBookmarks === true)).toBe(true);
    expect(end).toEqual({ status: "rejected", reason: REASON });
  });

  it("bookmarks advance the version, and are not passed on", async () => {
    const { events, versions, retrying } = await run([[event("BOOKMARK", "20")], [event("ADDED", "21")]]);
    expect([summary(events), versions, retrying.lastResourceVersion]).toEqual([["ADDED 21"], ["10", "20", "21"], "21"]);
  });

  it("watches start at most once per second", async () => {
    const { watcher } = await run([[], [], []]);
    expect(watcher.openedAt).toEqual([0, 1000, 2000, 3000]);
  });

  it.each([
    [
      "a refused connection",
      new ConnectionError("https://server", { failure: "refused", detail: "connection refused" }),
    ],
    ["an expired version in the response", statusError(410, "Expired")],
    ["a server error", statusError(500, "InternalError")],
    ["an error of the transport", new TypeError("terminated")],
  ])("%s leads to another watch", async (_, error) => {
    const { events, versions } = await run([[event("ADDED", "11"), error], [error], [event("ADDED", "12")]]);
    expect([summary(events), versions]).toEqual([
      ["ADDED 11", "ADDED 12"],
      ["10", "11", "11", "12"],
    ]);
  });

  it("an event with code 410 is passed on, and ends the iteration", async () => {
    const { events, versions, end } = await run([[event("ADDED", "11"), errorEvent(410), event("ADDED", "12")]]);
    expect([summary(events), versions, end]).toEqual([["ADDED 11", "ERROR 410"], ["10"], { status: "fulfilled" }]);
  });

  it.each([500, 504, 429])("an event with code %d leads to another watch, without being passed on", async (code) => {
    const { events, versions } = await run([[errorEvent(code)], [event("ADDED", "11")]]);
    expect([summary(events), versions]).toEqual([["ADDED 11"], ["10", "10", "11"]]);
  });

  it("the server's delay is respected", async () => {
    const { watcher } = await run([[errorEvent(504, { details: { retryAfterSeconds: 7 } })]]);
    expect(watcher.openedAt).toEqual([0, 7000]);
  });

  it.each([
    [401, "Unauthorized"],
    [403, "Forbidden"],
  ])("a response with code %d is passed on as an event, and ends the iteration", async (code, reason) => {
    const { events, versions, end } = await run([[event("ADDED", "11")], [statusError(code, reason)]]);
    expect([summary(events), versions, end]).toEqual([
      ["ADDED 11", `ERROR ${String(code)}`],
      ["10", "11"],
      { status: "fulfilled" },
    ]);
  });

  it.each<[string, WatchEvent]>([
    ["an object without resourceVersion", event("ADDED", "")],
    ["an unknown type", { ...event("ADDED", "11"), type: "CHANGED" } as unknown as WatchEvent],
  ])("%s ends the iteration with an error event", async (_, broken) => {
    const { events, end } = await run([[broken, event("ADDED", "12")]]);
    expect([summary(events), end.status]).toEqual([["ERROR 500"], "fulfilled"]);
  });

  it("an error event without a Status leads to another watch", async () => {
    const broken = { type: "ERROR", object: "overloaded" } as unknown as WatchEvent;
    const { events } = await run([[broken], [event("ADDED", "11")]]);
    expect(summary(events)).toEqual(["ADDED 11"]);
  });

  it("leaving the iteration closes the watch, and a new one continues after the last event", async () => {
    const clock = new FakeClock();
    const watcher = scripted([[event("ADDED", "11"), event("ADDED", "12")], [event("ADDED", "12")]], clock);
    const retrying = new RetryWatcher("10", watcher, { clock, log: silentLogger });
    for await (const first of retrying) {
      expect(summary([first])).toEqual(["ADDED 11"]);
      break;
    }
    for await (const second of retrying) {
      expect(summary([second])).toEqual(["ADDED 12"]);
      break;
    }
    expect(watcher.requests.map((request) => request.resourceVersion)).toEqual(["10", "11"]);
    expect(clock.pendingTimers).toBe(0);
  });
});
