import { describe, expect, it } from "vitest";

import { createIndexedStore, type IndexedStore } from "../../src/stores/indexed-store.ts";

interface Item {
  readonly id: string;
  readonly tags: readonly string[];
}

const byTag = { tag: ({ tags }: Item): readonly string[] => tags };

function create(): IndexedStore<Item> {
  return createIndexedStore<Item>(({ id }) => id, { indexers: byTag });
}

describe("an indexed store", () => {
  it("finds items by key and by index", () => {
    const store = create();
    store.add({ id: "1", tags: ["a", "b"] });
    store.add({ id: "2", tags: ["b"] });
    expect(store.getByKey("1")).toEqual({ id: "1", tags: ["a", "b"] });
    expect(store.getByKey("3")).toBeUndefined();
    expect(store.byIndex("tag", "b").map(({ id }) => id)).toEqual(["1", "2"]);
    expect(store.indexKeys("tag", "a")).toEqual(["1"]);
    expect(store.indexKeys("tag", "c")).toEqual([]);
    expect(store.indexValues("tag")).toEqual(["a", "b"]);
    store.update({ id: "1", tags: ["c"] });
    expect(store.indexValues("tag")).toEqual(["b", "c"]);
    store.delete({ id: "1", tags: [] });
    store.deleteByKey("unknown");
    expect([store.size, store.listKeys(), store.indexValues("tag")]).toEqual([1, ["2"], ["b"]]);
  });

  it("reports a missing index, and adds indexes later", () => {
    const store = createIndexedStore<Item>(({ id }) => id);
    store.add({ id: "1", tags: ["a"] });
    expect(() => store.byIndex("tag", "a")).toThrow(expect.objectContaining({ code: "CACHE_STORE_NO_INDEX" }));
    store.addIndexers(byTag);
    expect(store.byIndex("tag", "a")).toHaveLength(1);
    store.replace([{ id: "2", tags: ["b"] }]);
    expect(store.indexValues("tag")).toEqual(["b"]);
  });

  it("removes the former values of an item that was changed in place", () => {
    const store = create();
    const tags = ["a"];
    store.add({ id: "1", tags });
    tags[0] = "b";
    store.update({ id: "1", tags });
    expect(store.indexValues("tag")).toEqual(["b"]);
  });

  it("is unchanged after an index function threw", () => {
    const store = createIndexedStore<Item>(({ id }) => id, {
      indexers: { tag: ({ tags }) => tags.map((tag) => tag.toUpperCase()) },
    });
    store.add({ id: "1", tags: ["a"] });
    const broken = { id: "1", tags: [1 as unknown as string] };
    expect(() => store.update(broken)).toThrow(TypeError);
    expect(() => store.replace([broken])).toThrow(TypeError);
    expect(store.byIndex("tag", "A")).toEqual([{ id: "1", tags: ["a"] }]);
  });

  it("reports all items after each change", () => {
    const seen: string[] = [];
    const store = createIndexedStore<Item>(({ id }) => id, {
      onChange: (items) => seen.push(items.map(({ id }) => id).join("")),
    });
    store.add({ id: "1", tags: [] });
    store.replace([
      { id: "2", tags: [] },
      { id: "3", tags: [] },
    ]);
    store.deleteByKey("2");
    store.deleteByKey("2");
    expect(seen).toEqual(["1", "23", "3"]);
  });

  it("equals a filter over all items after random changes", () => {
    const store = create();
    const model = new Map<string, Item>();
    let state = 1;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7f_ff_ff_ff;
      return Math.floor((state / 0x80_00_00_00) * limit);
    };
    for (let step = 0; step < 2000; step += 1) {
      const id = String(next(20));
      const item = { id, tags: Array.from({ length: next(3) }, () => String(next(4))) };
      if (next(3) === 0) {
        store.deleteByKey(id);
        model.delete(id);
      } else {
        store.add(item);
        model.set(id, item);
      }
      const tag = String(next(4));
      const expected = [...model.values()].filter(({ tags }) => tags.includes(tag)).map((each) => each.id);
      expect(store.indexKeys("tag", tag).toSorted()).toEqual(expected.toSorted());
    }
    expect(store.size).toBe(model.size);
  });
});
