import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { createDeltaFifo, type Delta, type DeltaFifo, type Deltas } from "../../src/stores/delta-fifo.ts";
import { createIndexedStore } from "../../src/stores/indexed-store.ts";
import { goAnswers } from "../oracle/go-answers.ts";

interface Item {
  readonly key: string;
  readonly value: number;
}

interface Operation {
  readonly op: "add" | "update" | "delete" | "deleteByKey" | "replace" | "resync" | "pop";
  readonly object: Item;
  readonly objects: readonly Item[];
}

interface FifoCase {
  readonly hasKnownObjects: boolean;
  readonly replacedAsSync: boolean;
  readonly operations: readonly Operation[];
}

interface Answer {
  readonly deltas:
    | readonly { readonly type: string; readonly value: number | null; readonly isStateUnknown: boolean }[]
    | null;
  readonly isInInitialList: boolean;
  readonly hasSynced: boolean;
}

const ITEMS = fc.record({ key: fc.constantFrom("a", "b", "c", "d"), value: fc.integer({ min: 0, max: 99 }) });
const OPERATIONS = fc.array(
  fc.record({
    op: fc.constantFrom<Operation["op"][]>(
      "add",
      "update",
      "delete",
      "deleteByKey",
      "replace",
      "resync",
      "pop",
      "pop",
      "pop",
    ),
    object: ITEMS,
    objects: fc.array(ITEMS, { maxLength: 4 }),
  }),
  { maxLength: 25 },
);
const CASES = fc.record({ hasKnownObjects: fc.boolean(), replacedAsSync: fc.boolean(), operations: OPERATIONS });
const keyOf = ({ key }: Item): string => key;

/** Performs the operations like the Go program of `test/oracle`: the consumer stores what it takes. */
async function answersOf({ hasKnownObjects, replacedAsSync, operations }: FifoCase): Promise<readonly Answer[]> {
  const known = new Map<string, Item>();
  const knownObjects = {
    listKeys: () => [...known.keys()].toSorted(),
    getByKey: (key: string) => known.get(key),
  };
  const fifo = createDeltaFifo<Item>(keyOf, { replacedAsSync, ...(hasKnownObjects ? { knownObjects } : {}) });
  fifo.close();
  const answers: Answer[] = [];
  for (const operation of operations) {
    const taken = operation.op === "pop" ? await take(fifo, known) : { deltas: null, isInInitialList: false };
    if (operation.op !== "pop") perform(fifo, operation);
    answers.push({ ...taken, hasSynced: fifo.hasSynced() });
  }
  return answers;
}

function perform(fifo: DeltaFifo<Item>, { op, object, objects }: Operation): void {
  if (op === "deleteByKey") fifo.deleteByKey(object.key, object);
  else if (op === "replace") fifo.replace(objects);
  else if (op === "resync") fifo.resync();
  else if (op !== "pop") fifo[op](object);
}

async function take(fifo: DeltaFifo<Item>, known: Map<string, Item>): Promise<Omit<Answer, "hasSynced">> {
  if (fifo.size === 0) return { deltas: null, isInInitialList: false };
  const { deltas, isInInitialList } = await fifo.pop(({ key, deltas: changes }) => {
    for (const delta of changes) {
      if (delta.type === "Deleted") known.delete(key);
      else known.set(key, delta.object);
    }
  });
  return { deltas: deltas.map(describeDelta), isInInitialList };
}

function describeDelta(delta: Delta<Item>): { type: string; value: number | null; isStateUnknown: boolean } {
  const isStateUnknown = delta.type === "Deleted" && delta.isStateUnknown;
  return { type: delta.type, value: delta.object?.value ?? null, isStateUnknown };
}

const stored = (...items: readonly Item[]): ReturnType<typeof createIndexedStore<Item>> => {
  const store = createIndexedStore<Item>(keyOf);
  store.replace(items);
  return store;
};

const item = (key: string, value = 1): Item => ({ key, value });

async function popAll<T>(fifo: DeltaFifo<T>): Promise<readonly (readonly [string, Deltas<T>])[]> {
  const taken: (readonly [string, Deltas<T>])[] = [];
  while (fifo.size > 0) {
    const { key, deltas } = await fifo.pop(() => undefined);
    taken.push([key, deltas]);
  }
  return taken;
}

describe("a queue of changes", () => {
  const cases = goAnswers<FifoCase, readonly Answer[]>("delta-fifo", () => fc.sample(CASES, { seed: 1, numRuns: 300 }));

  it("gives the same changes as client-go's DeltaFIFO for random operations", async () => {
    for (const [input, answer] of cases) {
      expect({ input, answers: await answersOf(input) }).toEqual({ input, answers: answer });
    }
  });

  it("has taught a consumer the last state of every object when it is empty, whatever happened", async () => {
    await fc.assert(
      fc.asyncProperty(OPERATIONS, async (operations) => {
        const state = new Map<string, Item>();
        const known = new Map<string, Item>();
        const knownObjects = { listKeys: () => [...known.keys()], getByKey: (key: string) => known.get(key) };
        const fifo = createDeltaFifo<Item>(keyOf, { knownObjects });
        for (const operation of operations) {
          if (operation.op === "pop") {
            await take(fifo, known);
            continue;
          }
          perform(fifo, operation);
          changeState(state, operation);
        }
        while (fifo.size > 0) await take(fifo, known);
        expect(Object.fromEntries(known)).toEqual(Object.fromEntries(state));
      }),
    );
  });

  it("has every key once, in the order of first changes, with all changes since it was taken", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    fifo.add(item("a", 1));
    fifo.add(item("b", 2));
    fifo.update(item("a", 3));
    expect(fifo.size).toBe(2);
    expect(await popAll(fifo)).toEqual([
      [
        "a",
        [
          { type: "Added", object: item("a", 1) },
          { type: "Updated", object: item("a", 3) },
        ],
      ],
      ["b", [{ type: "Added", object: item("b", 2) }]],
    ]);
  });

  it("keeps the deletion whose final state is known of two in a row", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    fifo.add(item("a", 1));
    fifo.deleteByKey("a", item("a", 1));
    fifo.delete(item("a", 2));
    fifo.deleteByKey("a", item("a", 3));
    expect((await popAll(fifo)).map(([, deltas]) => deltas.slice(1))).toEqual([
      [{ type: "Deleted", object: item("a", 2), isStateUnknown: false }],
    ]);
  });

  it("reports known objects that a replacement lacks as deleted, with their last known state", async () => {
    const fifo = createDeltaFifo<Item>(keyOf, { knownObjects: stored(item("a"), item("b")) });
    fifo.replace([item("b", 2)]);
    expect(await popAll(fifo)).toEqual([
      ["b", [{ type: "Replaced", object: item("b", 2) }]],
      ["a", [{ type: "Deleted", object: item("a"), isStateUnknown: true }]],
    ]);
  });

  it("has synced when the objects and deletions of the first replacement have been taken", async () => {
    const fifo = createDeltaFifo<Item>(keyOf, { knownObjects: stored(item("gone")) });
    let isSynced = false;
    void fifo.waitForSync().then(() => (isSynced = true));
    expect(fifo.hasSynced()).toBe(false);
    fifo.replace([item("a")]);
    const { isInInitialList } = await fifo.pop(() => expect(fifo.hasSynced()).toBe(false));
    expect(isInInitialList).toBe(true);
    await fifo.pop(() => undefined);
    expect(fifo.hasSynced()).toBe(true);
    await fifo.waitForSync();
    expect(isSynced).toBe(true);
    fifo.add(item("later"));
    expect((await fifo.pop(() => undefined)).isInInitialList).toBe(false);
  });

  it("resyncs known objects that have no other change", async () => {
    const fifo = createDeltaFifo<Item>(keyOf, { knownObjects: stored(item("a"), item("b")) });
    fifo.update(item("a", 2));
    fifo.resync();
    expect(await popAll(fifo)).toEqual([
      ["a", [{ type: "Updated", object: item("a", 2) }]],
      ["b", [{ type: "Sync", object: item("b") }]],
    ]);
  });

  it("transforms objects once, but neither resyncs nor missed deletions", async () => {
    const fifo = createDeltaFifo<Item>(keyOf, {
      knownObjects: stored(item("a", 1), item("b", 2)),
      transform: ({ key, value }) => item(key, value * 10),
    });
    fifo.add(item("new", 3));
    fifo.deleteByKey("a", item("a", 1));
    fifo.resync();
    const values = (await popAll(fifo)).map(([key, deltas]) => [key, deltas.map(({ object }) => object?.value)]);
    expect(values).toEqual([
      ["new", [30]],
      ["a", [1]],
      ["b", [2]],
    ]);
  });

  it("stays as it was if the transformation of a replacement throws", async () => {
    const fifo = createDeltaFifo<Item>(keyOf, {
      transform: (each) => {
        if (each.key === "bad") throw new TypeError("cannot transform it");
        return each;
      },
    });
    expect(() => fifo.replace([item("a"), item("bad")])).toThrow("cannot transform it");
    expect([fifo.size, fifo.hasSynced()]).toEqual([0, false]);
  });

  it("hands waiting consumers one change each", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    const [first, second] = [fifo.pop(() => undefined), fifo.pop(() => undefined)];
    fifo.add(item("a"));
    fifo.add(item("b"));
    expect([(await first).key, (await second).key]).toEqual(["a", "b"]);
  });

  it("does not queue the changes again if the function throws", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    fifo.add(item("a"));
    const taken = fifo.pop(() => {
      throw new TypeError("no");
    });
    await expect(taken).rejects.toThrow("no");
    expect(fifo.size).toBe(0);
  });

  it("gives what it has after it was closed, and fails then, also for those who wait", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    const waiting = fifo.pop(() => undefined);
    fifo.close();
    await expect(waiting).rejects.toMatchObject({ code: "CACHE_FIFO_CLOSED" });
    fifo.add(item("a"));
    expect((await fifo.pop(() => undefined)).key).toBe("a");
    await expect(fifo.pop(() => undefined)).rejects.toMatchObject({ code: "CACHE_FIFO_CLOSED" });
  });

  it("stops waiting when the signal aborts, and loses no change", async () => {
    const fifo = createDeltaFifo<Item>(keyOf);
    const stop = new AbortController();
    const waiting = fifo.pop(() => undefined, { signal: stop.signal });
    stop.abort(new TypeError("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    await expect(fifo.pop(() => undefined, { signal: stop.signal })).rejects.toThrow("stopped");
    fifo.add(item("a"));
    expect((await fifo.pop(() => undefined)).key).toBe("a");
  });
});

function changeState(state: Map<string, Item>, { op, object, objects }: Operation): void {
  if (op === "add" || op === "update") state.set(object.key, object);
  else if (op === "delete" || op === "deleteByKey") state.delete(object.key);
  else if (op === "replace") {
    state.clear();
    for (const each of objects) state.set(each.key, each);
  }
}
