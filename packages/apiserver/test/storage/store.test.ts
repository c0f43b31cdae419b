import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ApiObject } from "../../src/storage/api-object.ts";
import type { StoreEvent } from "../../src/storage/object-reader.ts";
import { Store } from "../../src/storage/store.ts";

const groupResource = { group: "", resource: "things" } as const;
const thing = (name: string, value: number): ApiObject => ({
  apiVersion: "v1",
  kind: "Thing",
  metadata: { name, namespace: "n" },
  value,
});

function put(store: Store, name: string, value: number): void {
  const key = `n/${name}`;
  store.write({ groupResource, key, current: store.table(groupResource).get(key) }, thing(name, value));
}

function remove(store: Store, name: string): void {
  const key = `n/${name}`;
  store.delete({ groupResource, key, current: store.table(groupResource).get(key) });
}

const contents = (store: Store): readonly (readonly [string | undefined, unknown])[] =>
  store.list(groupResource).map((object) => [object.metadata.name, object["value"]]);

describe("Store", () => {
  it("counts every write of anything in one sequence", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    const before = store.revision;
    put(store, "a", 1);
    store.write({ groupResource: { group: "g", resource: "others" }, key: "x", current: undefined }, thing("x", 1));
    remove(store, "a");
    expect(store.revision).toBe(before + 3);
  });

  it("refuses a write over what the writer has not seen", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    put(store, "a", 1);
    const seen = store.table(groupResource).get("n/a");
    put(store, "a", 2);
    expect(store.write({ groupResource, key: "n/a", current: seen }, thing("a", 3))).toBeUndefined();
    expect(store.delete({ groupResource, key: "n/a", current: seen })).toBeUndefined();
    expect(contents(store)).toEqual([["a", 2]]);
  });

  it("has the changes of a resource since a revision from before its first use", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    const others = { group: "g", resource: "others" };
    store.write({ groupResource: others, key: "x", current: undefined }, thing("x", 1));
    const start = store.revision;
    put(store, "a", 1);
    expect(store.table(groupResource).at(start)?.keys).toEqual([]);
    expect(store.table(groupResource).since(start)).toHaveLength(1);
    store.compact();
    const later = { group: "g", resource: "later" };
    expect(store.table(later).at(start)).toBeUndefined();
    expect(store.table(later).at(store.revision)?.keys).toEqual([]);
    store.restore(store.snapshot());
    expect(store.table({ group: "g", resource: "last" }).at(store.revision - 1)).toBeUndefined();
  });

  it("lists a namespace and not another whose name begins alike", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    for (const key of ["a-b/x", "a/x", "a/y", "ab/x"]) {
      store.write({ groupResource, key, current: undefined }, thing(key, 1));
    }
    expect(store.list(groupResource, "a").map(({ metadata }) => metadata.name)).toEqual(["a/x", "a/y"]);
  });

  it("tells listeners of a resource and of everything, in order", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    const events: StoreEvent[] = [];
    const stop = store.observe(groupResource, (event) => events.push(event));
    store.observe(undefined, (event) => events.push(event));
    put(store, "a", 1);
    stop();
    remove(store, "a");
    expect(events.map(({ kind, key }) => [kind, key])).toEqual([
      ["added", "n/a"],
      ["added", "n/a"],
      ["deleted", "n/a"],
    ]);
    expect(events[2]?.object.metadata.resourceVersion).toBe(String(store.revision));
  });

  it("forgets old changes in bounded steps", () => {
    const store = new Store({ changes: 10, bytes: 1_000_000 });
    const first = store.revision;
    for (let index = 0; index < 100; index += 1) {
      put(store, "a", index);
    }
    const table = store.table(groupResource);
    expect(table.at(first)).toBeUndefined();
    expect(table.since(table.compactedAt).length).toBeLessThanOrEqual(20);
    expect(table.at(store.revision - 5)?.objects.get("n/a")?.["value"]).toBe(94);
  });

  it("knows every past state as it was", () => {
    const write = fc.record({ name: fc.constantFrom("a", "b", "c", "d"), value: fc.nat(9), isRemoval: fc.boolean() });
    fc.assert(
      fc.property(fc.array(write, { maxLength: 40 }), (writes) => {
        const store = new Store({ changes: 1000, bytes: 1_000_000 });
        const states = [{ revision: store.revision, expected: contents(store) }];
        for (const { name, value, isRemoval } of writes) {
          if (isRemoval) {
            remove(store, name);
          } else {
            put(store, name, value);
          }
          states.push({ revision: store.revision, expected: contents(store) });
        }
        for (const { revision, expected } of states) {
          const state = store.table(groupResource).at(revision);
          expect(state?.keys.map((key) => [key.slice(2), state.objects.get(key)?.["value"]])).toEqual(expected);
        }
      }),
    );
  });

  it("returns to a snapshot that later writes have not touched", () => {
    const store = new Store({ changes: 100, bytes: 1_000_000 });
    put(store, "a", 1);
    const snapshot = store.snapshot();
    put(store, "a", 2);
    put(store, "b", 1);
    const before = store.revision;
    store.restore(snapshot);
    expect(contents(store)).toEqual([["a", 1]]);
    expect(store.revision).toBeGreaterThan(before);
    expect(store.table(groupResource).at(before)).toBeUndefined();
    put(store, "a", 3);
    store.restore(snapshot);
    expect(contents(store)).toEqual([["a", 1]]);
  });

  it("keeps as many bytes of former objects as it may, and tells of changes before that nothing", () => {
    const store = new Store({ changes: 1000, bytes: 10_000 });
    const table = store.table(groupResource);
    const big = (name: string): ApiObject => ({ ...thing(name, 1), text: "x".repeat(1000) });
    for (let index = 0; index < 100; index += 1) {
      store.write({ groupResource, key: "n/a", current: table.get("n/a") }, big("a"));
    }
    const { revision } = store;
    expect(table.since(table.compactedAt).length).toBeLessThan(20);
    expect(table.since(table.compactedAt).length).toBeGreaterThanOrEqual(9);
    expect(table.at(revision - 5)).toBeDefined();
    expect(table.at(revision - 50)).toBeUndefined();
  });

  it("does not count objects that are still there", () => {
    const store = new Store({ changes: 1000, bytes: 10_000 });
    const begin = store.revision;
    for (let index = 0; index < 100; index += 1) {
      const name = `a-${String(index)}`;
      store.write(
        { groupResource, key: `n/${name}`, current: undefined },
        { ...thing(name, 1), text: "x".repeat(1000) },
      );
    }
    expect(store.table(groupResource).at(begin)?.keys).toEqual([]);
  });

  it("refuses objects that etcd would refuse, and changes nothing", () => {
    const store = new Store({ changes: 1000, bytes: 1_000_000 });
    const { revision } = store;
    const sized = (length: number): ApiObject => ({ ...thing("a", 1), text: "x".repeat(length) });
    const write = (object: ApiObject): unknown =>
      store.write({ groupResource, key: "n/a", current: undefined }, object);
    expect(() => write(sized(1_572_864))).toThrow("etcdserver: request is too large");
    expect(() => write({ ...thing("a", 1), text: "\u{1f600}".repeat(400_000) })).toThrow(/too large/u);
    expect([store.revision, store.list(groupResource)]).toEqual([revision, []]);
    expect(write(sized(1_572_000))).toBeDefined();
  });
});
