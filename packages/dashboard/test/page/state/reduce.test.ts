import { describe, expect, it } from "vitest";

import type { DashboardMessage, ObjectChange } from "../../../src/page/feed/protocol.ts";
import { INITIAL_STATE, LIMITS, type State } from "../../../src/page/state/model.ts";
import { reduce } from "../../../src/page/state/reduce.ts";
import { Store } from "../../../src/page/state/store.ts";
import { hello, scenario, summary } from "../feed/scenario.ts";

const NOW = 1_700_000_000_000;

function after(messages: readonly DashboardMessage[], state: State = INITIAL_STATE): State {
  return reduce(state, { kind: "messages", messages, now: NOW });
}

function object(change: ObjectChange["change"], name: string): ObjectChange {
  return { type: "object", change, object: summary("ConfigMap", name) };
}

describe("the reducer", () => {
  it("keeps every kind of message", () => {
    const state = after(scenario(NOW).messages);
    expect(state.hello?.project).toBe("guestbook");
    expect(state.objects.size).toBe(18);
    expect(state.reconciles.size).toBe(60);
    expect([...state.controllers.keys()]).toEqual(["guestbook", "guestbookentry"]);
    expect(state.controllers.get("guestbook")?.samples).toHaveLength(60);
    expect(state.caches.size).toBe(4);
    expect(state.webhooks.size).toBe(3);
    expect(state.permissions.size).toBe(8);
    expect(state.events.size).toBe(2);
    expect(state.faults.size).toBe(7);
    expect(state.logs.length).toBeGreaterThan(60);
    expect(state.manager?.state).toBe("ready");
    expect(state.project?.diagnostics).toHaveLength(1);
  });

  it("forgets a permission that the manager does not have any more", () => {
    const permission = { verb: "list", group: "", resource: "secrets", namespace: "" };
    const denied = after([{ type: "permission", ...permission, state: "denied", allowed: 0, denied: 1 }]);
    expect(denied.permissions.size).toBe(1);
    expect(after([{ type: "permission-removed", ...permission }], denied).permissions.size).toBe(0);
    expect(after([{ type: "permission-removed", ...permission, namespace: "a" }], denied).permissions.size).toBe(1);
  });

  it("leaves the state before it unchanged, and shares what does not change", () => {
    const before = after(scenario(NOW).messages);
    const size = before.objects.size;
    const next = after([object("created", "new")], before);
    expect(before.objects.size).toBe(size);
    expect(next.objects.size).toBe(size + 1);
    expect(next.reconciles).toBe(before.reconciles);
    expect(next.logs).toBe(before.logs);
  });

  it("forgets everything with a hello, also in the middle of a batch", () => {
    const before = after(scenario(NOW).messages);
    const next = after([object("created", "old stream"), ...hello(), object("existing", "new stream")], before);
    expect([...next.objects.values()].map(({ summary: { name } }) => name)).toEqual(["new stream"]);
    expect(next.reconciles.size).toBe(0);
    expect(next.connection).toBe(before.connection);
  });

  it("keeps deleted objects, as many as the limit", () => {
    const names = Array.from({ length: LIMITS.deletedObjects + 10 }, (_unused, index) => `c${String(index)}`);
    let state = after([object("created", "alive")]);
    for (const [index, name] of names.entries())
      state = reduce(state, { kind: "messages", messages: [object("deleted", name)], now: NOW + index });
    expect(state.objects.size).toBe(LIMITS.deletedObjects + 1);
    expect(state.objects.has("uid-ConfigMap-alive")).toBe(true);
    expect(state.objects.has("uid-ConfigMap-c0")).toBe(false);
    expect(state.objects.get("uid-ConfigMap-c509")?.isDeleted).toBe(true);
  });

  it("replaces a reconcile by its ID, and drops the oldest ones", () => {
    const record = (index: number, outcome: "running" | "success"): DashboardMessage => ({
      type: "reconcile",
      id: `r${String(index)}`,
      controller: "c",
      namespace: "",
      name: "n",
      startedAt: NOW,
      outcome,
      writes: [],
    });
    const many = Array.from({ length: LIMITS.reconciles + 5 }, (_unused, index) => record(index, "running"));
    const state = after([...many, record(LIMITS.reconciles, "success")]);
    expect(state.reconciles.size).toBe(LIMITS.reconciles);
    expect(state.reconciles.has("r4")).toBe(false);
    expect(state.reconciles.get(`r${String(LIMITS.reconciles)}`)?.outcome).toBe("success");
  });

  it("numbers log lines, so that an old number means the same line", () => {
    const line: DashboardMessage = { type: "log", at: NOW, level: "info", logger: "l", message: "m" };
    const first = after([line, line]);
    const second = after(
      Array.from({ length: LIMITS.logs }, () => line),
      first,
    );
    expect(first.logs.map(({ id }) => id)).toEqual([1, 2]);
    expect(second.logs).toHaveLength(LIMITS.logs);
    expect([second.logs[0]?.id, second.logs.at(-1)?.id]).toEqual([3, LIMITS.logs + 2]);
  });
});

describe("the store", () => {
  it("reduces a burst in chunks, leaves the rest for the next frame when its time is over, and renders in other tasks", () => {
    let now = 0;
    const frames: (() => void)[] = [];
    const tasks: (() => void)[] = [];
    const store = new Store({
      schedule: (run) => frames.push(run),
      task: (run) => tasks.push(run),
      now: () => (now += 3),
    });
    let changes = 0;
    store.subscribe(() => (changes += 1));
    store.receive(Array.from({ length: 2000 }, (_unused, index) => object("existing", `c${String(index)}`)));
    expect([frames.length, changes, store.state.objects.size]).toEqual([1, 0, 0]);
    frames.shift()?.();
    const afterOne = store.state.objects.size;
    expect(afterOne).toBeGreaterThan(0);
    expect(afterOne).toBeLessThan(2000);
    expect([tasks.length, changes]).toEqual([1, 0]);
    tasks.shift()?.();
    expect(changes).toBe(1);
    while (frames.length > 0) frames.shift()?.();
    for (const run of tasks) run();
    expect(store.state.objects.size).toBe(2000);
    expect(changes).toBeGreaterThan(1);
  });
});
