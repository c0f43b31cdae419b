import { describe, expect, it } from "vitest";

import { type Abortable, Cancellation, onAbort, abortSignalOf, untilAborted } from "../../src/clock/index.ts";

interface Ending {
  readonly ending: Abortable;
  readonly abort: (reason?: unknown) => void;
}

const ENDINGS: readonly (readonly [string, () => Ending])[] = [
  [
    "the signal of an AbortController",
    () => {
      const controller = new AbortController();
      return { ending: controller.signal, abort: (reason) => controller.abort(reason) };
    },
  ],
  [
    "a Cancellation",
    () => {
      const ending = new Cancellation();
      return { ending, abort: (reason) => ending.abort(reason) };
    },
  ],
];

describe.each(ENDINGS)("%s", (_name, create) => {
  it("calls each listener once, in their order, and none that was removed", () => {
    const { ending, abort } = create();
    const calls: string[] = [];
    const twice = (): number => calls.push("twice");
    onAbort(ending, () => calls.push("first"));
    onAbort(ending, twice);
    const remove = onAbort(ending, twice);
    remove();
    abort();
    abort();
    expect(calls).toEqual(["first", "twice"]);
  });

  it("calls a late listener at once", () => {
    const { ending, abort } = create();
    abort();
    let calls = 0;
    onAbort(ending, () => (calls += 1));
    expect(calls).toBe(1);
  });

  it("keeps the first reason, and fails with it", async () => {
    const { ending, abort } = create();
    const reason = new Error("first");
    ending.throwIfAborted();
    expect([ending.aborted, ending.reason]).toEqual([false, undefined]);
    const waiting = untilAborted(new Promise<never>(() => undefined), ending);
    abort(reason);
    abort(new Error("second"));
    await expect(waiting).rejects.toBe(reason);
    expect([ending.aborted, ending.reason]).toEqual([true, reason]);
    expect(() => ending.throwIfAborted()).toThrow(reason);
  });

  it("has an AbortError as reason if none is given", () => {
    const { ending, abort } = create();
    abort();
    expect(ending.reason).toBeInstanceOf(DOMException);
    expect(ending.reason).toMatchObject({ name: "AbortError", message: "This operation was aborted" });
  });

  it("has a signal that aborts with it, also one that is read late", () => {
    for (const readsLate of [false, true]) {
      const { ending, abort } = create();
      const reason = new Error("over");
      const early = readsLate ? undefined : abortSignalOf(ending);
      abort(reason);
      const signal = early ?? abortSignalOf(ending);
      expect([signal.aborted, signal.reason]).toEqual([true, reason]);
    }
  });
});
