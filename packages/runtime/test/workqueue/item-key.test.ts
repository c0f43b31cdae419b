import { describe, expect, it } from "vitest";

import type { EventContext } from "../../src/event/event.ts";
import { enqueueRequestsFromMapFunc } from "../../src/handler/handler.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { itemKey } from "../../src/workqueue/item-key.ts";
import { createPriorityQueue } from "../../src/workqueue/priority-queue.ts";
import { createRateLimitingQueue } from "../../src/workqueue/rate-limiting-queue.ts";

class Cluster {
  readonly name = "a";
  readonly namespace = "b";
  readonly #region: string;

  constructor(region: string) {
    this.#region = region;
  }

  region(): string {
    return this.#region;
  }
}

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ["a date", { name: "a", at: new Date(0) }, ".at is an object of class Date"],
  ["a set", { sets: [new Set([1])] }, ".sets[0] is an object of class Set"],
  ["a map", { labels: { all: new Map() } }, ".labels.all is an object of class Map"],
  ["private fields", new Cluster("eu"), "the item is an object of class Cluster"],
  ["a function", { run: () => 1 }, ".run is a function"],
  ["a symbol", { id: Symbol("a") }, ".id is a symbol"],
  ["a key that is a symbol", { a: { [Symbol("a")]: 1 } }, ".a is an object with symbols as keys"],
];

describe("the key of an item", () => {
  it.each(REFUSED)("guarantee 13: an item with %s is refused, with its path", (_, item, message) => {
    for (const queue of [createPriorityQueue(), createRateLimitingQueue()]) {
      expect(() => queue.add(item)).toThrow(message);
      expect(() => queue.addAfter(item, 10)).toThrow(expect.objectContaining({ code: "CONTROLLER_ITEM_UNSUPPORTED" }));
      expect(queue.length).toBe(0);
      queue.shutDown();
    }
  });

  it("guarantee 13: a key function tells such items apart", async () => {
    const keyOf = (cluster: Cluster): string => cluster.region();
    for (const queue of [createPriorityQueue({ keyOf }), createRateLimitingQueue({ keyOf })]) {
      for (const region of ["eu", "us", "eu"]) queue.add(new Cluster(region));
      queue.addRateLimited(new Cluster("us"));
      expect([queue.length, queue.numRequeues(new Cluster("us")), queue.numRequeues(new Cluster("eu"))]).toEqual([
        2, 1, 0,
      ]);
      const first = await queue.get();
      expect(first?.region()).toBe("eu");
      queue.done(new Cluster("eu"));
      queue.shutDown();
    }
  });

  it("guarantee 13: handlers compare requests with the key function of the queue", () => {
    const queue = createPriorityQueue({ keyOf: (cluster: Cluster) => cluster.region() });
    const handler = enqueueRequestsFromMapFunc(() => [new Cluster("eu"), new Cluster("us"), new Cluster("eu")]);
    const object = { apiVersion: "v1", kind: "Pod", metadata: {} };
    const context: EventContext = { log: silentLogger, signal: new AbortController().signal };
    void handler.generic({ object }, { ...context, queue });
    expect(queue.length).toBe(2);
  });

  it("refuses items that are nested endlessly", () => {
    const item: { self?: unknown } = {};
    item.self = item;
    expect(() => itemKey(item)).toThrow(expect.objectContaining({ code: "CONTROLLER_ITEM_UNSUPPORTED" }));
  });

  it.each([
    ["not a number and null", { a: Number.NaN }, { a: null }],
    ["infinity and null", { a: Number.POSITIVE_INFINITY }, { a: null }],
    ["undefined and null in a list", [undefined], [null]],
    ["a text and an object", '{"a":1}', { a: 1 }],
    ["a number and a text", { a: 1 }, { a: "1" }],
    ["a big integer and a text", { a: 1n }, { a: "1n" }],
    ["a slash in the namespace and in the name", { namespace: "a/b", name: "c" }, { namespace: "a", name: "b/c" }],
  ])("differs for %s", (_, left, right) => {
    expect(itemKey(left)).not.toBe(itemKey(right));
  });

  it.each([
    ["the order of fields", { namespace: "a", name: "b" }, { name: "b", namespace: "a" }],
    ["undefined fields", { a: 1, b: undefined }, { a: 1 }],
    ["the prototype", Object.assign(Object.create(null) as object, { a: 1 }), { a: 1 }],
  ])("is the same regardless of %s", (_, left, right) => {
    expect(itemKey(left)).toBe(itemKey(right));
  });
});
