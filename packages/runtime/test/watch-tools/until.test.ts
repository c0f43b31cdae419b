import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createListWatch } from "../../src/cache/list-watch.ts";
import type { WatchEvent } from "../../src/client/client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { untilWithSync } from "../../src/watch-tools/until-with-sync.ts";
import { until, untilWithoutRetry, type EventCondition } from "../../src/watch-tools/until.ts";
import { FakeServer, Widget } from "../support/fake-server.ts";
import { errorEvent, event, scripted, widget } from "./watches.ts";

const REASON = new Error("the test has seen enough");
type Condition = EventCondition<KubernetesObject>;

const isType =
  (type: string): Condition =>
  (next) =>
    next.type === type;

function watchOf(events: readonly WatchEvent[]) {
  return scripted([events]).watch({});
}

describe("waits for events", () => {
  it("conditions are met one after the other, and the last event is returned", async () => {
    const events = [event("ADDED", "1"), event("MODIFIED", "2"), event("DELETED", "3")];
    expect(await untilWithoutRetry(watchOf(events), [isType("ADDED"), isType("DELETED")])).toEqual(events[2]);
  });

  it("an event that meets a condition is also checked against the next one", async () => {
    const seen: string[] = [];
    const record =
      (name: string): Condition =>
      (next) => {
        seen.push(`${name} ${next.type}`);
        return true;
      };
    await untilWithoutRetry(watchOf([event("ADDED", "1")]), [record("first"), record("second")]);
    expect(seen).toEqual(["first ADDED", "second ADDED"]);
  });

  it("each event is checked once against each condition", async () => {
    const seen: string[] = [];
    const second: Condition = (next) => {
      seen.push(next.type);
      return next.type === "DELETED";
    };
    const events = [event("ADDED", "1"), event("MODIFIED", "2"), event("DELETED", "3")];
    await untilWithoutRetry(watchOf(events), [isType("ADDED"), second]);
    expect(seen).toEqual(["ADDED", "MODIFIED", "DELETED"]);
  });

  it("without conditions nothing is read", async () => {
    const watcher = scripted([[event("ADDED", "1")]]);
    expect(await untilWithoutRetry(watcher.watch({}), [])).toBeUndefined();
    expect(watcher.requests).toEqual([]);
  });

  it("the end of the watch is an error with the last event", async () => {
    await expect(untilWithoutRetry(watchOf([event("ADDED", "1")]), [isType("DELETED")])).rejects.toMatchObject({
      code: "CLIENT_WATCH_CLOSED",
      lastEvent: { type: "ADDED" },
    });
  });

  it("the error of a condition is thrown", async () => {
    const failing: Condition = () => {
      throw REASON;
    };
    await expect(untilWithoutRetry(watchOf([event("ADDED", "1")]), [failing])).rejects.toBe(REASON);
  });

  it("the signal ends the wait, also for a watch that ignores it", async () => {
    const controller = new AbortController();
    const work = untilWithoutRetry(scripted([]).watch({}), [isType("ADDED")], { signal: controller.signal });
    const settled = Promise.allSettled([work]);
    await settle();
    controller.abort(REASON);
    expect((await settled)[0]).toEqual({ status: "rejected", reason: REASON });
  });
});

describe("waits that resume", () => {
  it("a watch that ends is reopened until the condition is met", async () => {
    const clock = new FakeClock();
    const watcher = scripted([[event("ADDED", "11")], [event("DELETED", "12")]], clock);
    const work = until("10", watcher, [isType("DELETED")], { clock, log: silentLogger });
    await clock.advance(5000);
    expect(await work).toEqual(event("DELETED", "12"));
    expect(watcher.requests.map((request) => request.resourceVersion)).toEqual(["10", "11"]);
  });

  it("an expired version ends the wait", async () => {
    const work = until("10", scripted([[errorEvent(410, { message: "too old" })]]), [isType("DELETED")]);
    await expect(work).rejects.toMatchObject({ code: "CLIENT_WATCH_CLOSED", lastEvent: { type: "ERROR" } });
    await expect(work).rejects.toThrow("too old");
  });
});

describe("waits with a list", () => {
  function setUp() {
    const server = new FakeServer();
    const clock = new FakeClock();
    const listWatch = createListWatch(server.client(), Widget, {});
    return { server, clock, listWatch, options: { clock, log: silentLogger } };
  }

  it("objects of the first list are added, and later changes follow", async () => {
    const { server, listWatch, options } = setUp();
    server.put(widget("a", ""));
    const types: string[] = [];
    const work = untilWithSync(
      listWatch,
      Widget,
      {
        conditions: [
          ({ type }) => {
            types.push(type);
            return type === "DELETED";
          },
        ],
      },
      options,
    );
    await settle();
    server.put(widget("a", ""));
    await settle();
    server.remove(widget("a", ""));
    expect(await work).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
    expect(types).toEqual(["ADDED", "MODIFIED", "DELETED"]);
    expect(server.openWatches).toBe(0);
  });

  it("a precondition that is met ends the wait without an event", async () => {
    const { server, listWatch, options } = setUp();
    server.put(widget("a", ""));
    const work = untilWithSync(
      listWatch,
      Widget,
      { precondition: (objects) => objects.list().length === 1, conditions: [() => false] },
      options,
    );
    expect(await work).toBeUndefined();
    expect(server.openWatches).toBe(0);
  });

  it("an expired version leads to another list, and the change arrives", async () => {
    const { server, clock, listWatch, options } = setUp();
    server.put(widget("a", ""));
    const work = untilWithSync(listWatch, Widget, { conditions: [({ type }) => type === "DELETED"] }, options);
    await clock.advance(0);
    server.endWatches();
    server.remove(widget("a", ""));
    server.compact();
    server.skipVersions(1);
    await clock.advance(120_000);
    expect(await work).toMatchObject({ type: "DELETED", object: { metadata: { name: "a" } } });
  });

  it("the signal ends the wait and all requests", async () => {
    const { server, listWatch, options } = setUp();
    const controller = new AbortController();
    const work = untilWithSync(
      listWatch,
      Widget,
      { conditions: [() => false] },
      { ...options, signal: controller.signal },
    );
    const settled = Promise.allSettled([work]);
    await settle();
    controller.abort(REASON);
    expect((await settled)[0]).toEqual({ status: "rejected", reason: REASON });
    expect(server.openWatches).toBe(0);
  });
});
