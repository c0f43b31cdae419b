import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { createTtlStore } from "../../src/stores/expiration-store.ts";

interface Item {
  readonly id: string;
  readonly value: number;
}

function setUp(ttlMs: number) {
  const clock = new FakeClock();
  return { clock, store: createTtlStore<Item>(({ id }) => id, { ttlMs, clock }) };
}

describe("stores whose items expire", () => {
  it("an item expires when it is older than the lifetime, and is removed when it is read", () => {
    const { clock, store } = setUp(1000);
    store.add({ id: "a", value: 1 });
    clock.step(1000);
    expect(store.getByKey("a")).toEqual({ id: "a", value: 1 });
    clock.step(1);
    expect(store.listKeys()).toEqual(["a"]);
    expect([store.get({ id: "a", value: 0 }), store.list(), store.listKeys()]).toEqual([undefined, [], []]);
  });

  it("an update replaces the item and restarts its lifetime", () => {
    const { clock, store } = setUp(1000);
    store.add({ id: "a", value: 1 });
    clock.step(800);
    store.update({ id: "a", value: 2 });
    clock.step(800);
    expect(store.list()).toEqual([{ id: "a", value: 2 }]);
  });

  it.each([0, -1])("with a lifetime of %d nothing expires", (ttlMs) => {
    const { clock, store } = setUp(ttlMs);
    store.add({ id: "a", value: 1 });
    clock.step(1e9);
    expect(store.list()).toHaveLength(1);
  });

  it("replacing removes all other items and restarts the lifetime", () => {
    const { clock, store } = setUp(1000);
    store.add({ id: "a", value: 1 });
    clock.step(900);
    store.replace([{ id: "b", value: 2 }]);
    clock.step(900);
    expect(store.list()).toEqual([{ id: "b", value: 2 }]);
    store.delete({ id: "b", value: 0 });
    expect(store.list()).toEqual([]);
  });
});
