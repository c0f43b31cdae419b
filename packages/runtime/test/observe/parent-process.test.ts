import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Observation } from "../../src/observe/observer.ts";
import { parentObserver, readObservationsMessage } from "../../src/observe/parent-process.ts";

const env = { KUBESCAFFOLD_OBSERVE: "ipc" };

function started(name: string): Observation {
  return { kind: "reconcile-started", at: 0, controller: "c", reconcileId: name, namespace: "", name };
}

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

describe("the observer of a process that another one started", () => {
  it("needs the variable and a channel", () => {
    expect(parentObserver({ env })).toBeUndefined();
    expect(parentObserver({ env: {}, send: () => true })).toBeUndefined();
    expect(parentObserver({ env, send: () => true })).toBeDefined();
  });

  it("sends what happened within 50 ms in one message", () => {
    const sent: unknown[] = [];
    const observer = parentObserver({ env, send: (message) => sent.push(message) > 0 });
    observer?.observe(started("a"));
    observer?.observe(started("b"));
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(sent.map((each) => readObservationsMessage(each)?.observations)).toEqual([[started("a"), started("b")]]);
  });

  it("waits for the parent to read, and counts what it drops meanwhile", () => {
    const sent: { readonly message: unknown; readonly done: (error: Error | null) => void }[] = [];
    const observer = parentObserver({ env, send: (message, done) => sent.push({ message, done }) > 0 });
    observer?.observe(started("a"));
    vi.advanceTimersByTime(50);
    for (let index = 0; index < 20_005; index += 1) observer?.observe(started(String(index)));
    vi.advanceTimersByTime(1000);
    expect(sent).toHaveLength(1);
    sent[0]?.done(null);
    vi.advanceTimersByTime(50);
    const message = readObservationsMessage(sent[1]?.message);
    expect(message?.observations).toHaveLength(20_000);
    expect(message?.dropped).toBe(5);
  });

  it("sends nothing after the parent has gone", () => {
    const sent: unknown[] = [];
    const observer = parentObserver({ env, connected: false, send: (message) => sent.push(message) > 0 });
    observer?.observe(started("a"));
    vi.advanceTimersByTime(1000);
    expect(sent).toEqual([]);
  });

  it("distinguishes its messages from those of loaders", () => {
    expect(readObservationsMessage({ type: "dependency", path: "cmd/main.ts" })).toBeUndefined();
    expect(readObservationsMessage("text")).toBeUndefined();
    expect(readObservationsMessage(undefined)).toBeUndefined();
    for (const text of ["", "{", "{}", "null", 1])
      expect(readObservationsMessage({ source: "kubescaffold.dev/observer", text })).toBeUndefined();
  });
});
