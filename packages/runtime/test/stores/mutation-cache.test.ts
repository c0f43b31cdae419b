import type { DeepReadonly } from "@kubescaffold/k8s";
import { FakeClock } from "@kubescaffold/platform/clock";
import { describe, expect, it } from "vitest";

import { Indexer } from "../../src/cache/indexer.ts";
import type { Stored } from "../../src/client/partial-object.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createMutationCache, type MutationCacheOptions } from "../../src/stores/mutation-cache.ts";
import { Widget } from "../support/fake-server.ts";

const INDEXERS = { size: ({ spec }: DeepReadonly<Widget>) => [String(spec.size)] };
const A = { namespace: "default", name: "a" };

function widget(resourceVersion: string, size = 1, more: { name?: string; uid?: string } = {}): Stored<Widget> {
  return {
    ...Widget.create({ metadata: A, spec: { size } }),
    metadata: { ...A, uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z", ...more, resourceVersion },
  };
}

function setUp(options: MutationCacheOptions<Widget> = {}) {
  const clock = new FakeClock();
  const store = new Indexer<Widget>(silentLogger);
  store.addIndexers(INDEXERS);
  return { clock, store, cache: createMutationCache<Widget>(store, { clock, indexers: INDEXERS, ...options }) };
}

describe("mutation caches", () => {
  it("the newer of the stored and the written object is returned, by number", () => {
    const { store, cache } = setUp();
    store.set(widget("9"));
    cache.mutation(widget("10", 2));
    expect(cache.get(A)?.spec.size).toBe(2);
    store.set(widget("10", 3));
    expect(cache.get(A)?.spec.size).toBe(3);
  });

  it("an older write does not replace a newer one", () => {
    const { store, cache } = setUp();
    store.set(widget("9"));
    cache.mutation(widget("11", 3));
    cache.mutation(widget("10", 2));
    expect(cache.get(A)?.spec.size).toBe(3);
  });

  it.each([
    [false, undefined],
    [true, 2],
  ])("an object that the store does not contain, with includeAdds %s", (includeAdds, size) => {
    const { cache } = setUp({ includeAdds });
    cache.mutation(widget("10", 2));
    expect(cache.get(A)?.spec.size).toBe(size);
    expect(cache.byIndex("size", "2")).toHaveLength(includeAdds ? 1 : 0);
    expect(cache.byIndex("size", "1")).toEqual([]);
  });

  it("an index returns newer objects under their stored value, and nothing for an unknown index", () => {
    const { store, cache } = setUp({ includeAdds: true });
    store.set(widget("9"));
    cache.mutation(widget("10", 2));
    expect(cache.byIndex("size", "1")?.map(({ spec }) => spec.size)).toEqual([2]);
    expect(cache.byIndex("color", "red")).toBeUndefined();
  });

  it("a write expires after five minutes", () => {
    const { clock, cache } = setUp({ includeAdds: true });
    cache.mutation(widget("10"));
    clock.step(300_000);
    expect(cache.get(A)).toBeDefined();
    clock.step(1);
    expect(cache.get(A)).toBeUndefined();
  });

  it("the least recently used write makes room", () => {
    const { cache } = setUp({ includeAdds: true, maximalSize: 2 });
    cache.mutation(widget("1", 1, { name: "a" }));
    cache.mutation(widget("2", 1, { name: "b" }));
    cache.get(A);
    cache.mutation(widget("3", 1, { name: "c" }));
    const names = ["a", "b", "c"].filter((name) => cache.get({ namespace: "default", name }) !== undefined);
    expect(names).toEqual(["a", "c"]);
  });

  it("a write that the store has seen is dropped", () => {
    const { cache } = setUp({ includeAdds: true });
    cache.mutation(widget("10"));
    cache.onAddOrUpdate(widget("9"));
    expect(cache.get(A)).toBeDefined();
    cache.onAddOrUpdate(widget("10"));
    expect(cache.get(A)).toBeUndefined();
  });

  it("a deletion drops writes of the same instance, before and after it", () => {
    const { cache } = setUp({ includeAdds: true });
    cache.mutation(widget("12"));
    cache.onDelete(widget("11"));
    expect(cache.get(A)).toBeUndefined();
    cache.mutation(widget("13"));
    expect([cache.get(A), cache.byIndex("size", "1")]).toEqual([undefined, []]);
  });

  it("a deletion keeps a newer write of another instance", () => {
    const { cache } = setUp({ includeAdds: true });
    cache.mutation(widget("12", 2, { uid: "uid-2" }));
    cache.onDelete(widget("11"));
    expect(cache.get(A)?.spec.size).toBe(2);
    cache.onDelete(widget("12"));
    cache.mutation(widget("13", 3, { uid: "uid-2" }));
    expect(cache.get(A)?.spec.size).toBe(3);
  });

  it("a resourceVersion that is not a number cannot be compared", () => {
    const { store, cache } = setUp();
    store.set(widget("abc"));
    cache.mutation(widget("10"));
    expect(() => cache.get(A)).toThrow(expect.objectContaining({ code: "CACHE_RESOURCE_VERSION" }));
  });
});
