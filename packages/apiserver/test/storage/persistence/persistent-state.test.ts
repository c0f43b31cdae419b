import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import type { ApiObject } from "../../../src/storage/api-object.ts";
import { PersistentState } from "../../../src/storage/persistence/persistent-state.ts";
import { Store } from "../../../src/storage/store.ts";

const LIMITS = { changes: 100, bytes: 1_000_000 };
const THINGS = { group: "", resource: "things" } as const;
const OTHERS = { group: "example.com", resource: "others" } as const;
const TABLES = [THINGS, OTHERS] as const;

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "state-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Opened {
  readonly store: Store;
  readonly state: PersistentState;
}

function openState(where: string, compactionBytes?: number): Opened {
  const store = new Store(LIMITS);
  const options = { minor: KUBERNETES_MINOR, ...(compactionBytes === undefined ? {} : { compactionBytes }) };
  return { store, state: new PersistentState(where, store, options) };
}

/** A write of a test: the number of a table and of an object, and its value, or none to delete it. */
type Write = readonly [table: number, name: number, value: string | undefined];

function apply(store: Store, [table, name, value]: Write): void {
  const groupResource = TABLES[table % TABLES.length] ?? THINGS;
  const key = `n/object-${String(name)}`;
  const current = store.table(groupResource).get(key);
  const metadata = { namespace: "n", name: `object-${String(name)}` };
  if (value === undefined) store.delete({ groupResource, key, current });
  else store.write({ groupResource, key, current }, { apiVersion: "v1", kind: "Thing", metadata, value });
}

function contentsOf(store: Store): readonly ApiObject[] {
  return TABLES.flatMap((table) => store.list(table));
}

const writes = fc.array(
  fc.tuple(fc.nat(1), fc.nat(4), fc.option(fc.string({ unit: "grapheme" }), { nil: undefined })),
  { minLength: 1, maxLength: 40 },
);

describe("PersistentState", () => {
  it("restores all objects, their resourceVersions, and the revision", async () => {
    await fc.assert(
      fc.asyncProperty(writes, fc.nat(2000), async (all, compactionBytes) => {
        const where = mkdtempSync(path.join(folder, "run-"));
        const first = openState(where, compactionBytes);
        for (const [index, each] of all.entries()) {
          apply(first.store, each);
          if (index % 7 === 0) await first.state.idle();
        }
        await first.state.close();
        const second = openState(where);
        expect(contentsOf(second.store)).toEqual(contentsOf(first.store));
        expect(second.store.revision).toBe(first.store.revision);
        expect(Object.isFrozen(contentsOf(second.store)[0] ?? Object.freeze({}))).toBe(true);
        await second.state.close();
      }),
      { numRuns: 60 },
    );
  });

  it("restores the writes before the place at which a process was killed, wherever that is", async () => {
    const { store, state } = openState(folder);
    const file = path.join(folder, "log-1.jsonl");
    const expected: { readonly bytes: number; readonly contents: readonly ApiObject[] }[] = [];
    for (const each of [
      [0, 1, "é"],
      [0, 1, "b"],
      [1, 1, "c"],
      [0, 1, undefined],
      [1, 2, "{}\n"],
    ] as const) {
      apply(store, each);
      expected.push({ bytes: statSync(file).size, contents: contentsOf(store) });
    }
    await state.close();
    const bytes = readFileSync(file);
    for (let size = 0; size <= bytes.length; size += 1) {
      writeFileSync(file, bytes.subarray(0, size));
      const killed = openState(folder);
      const acknowledged = expected.findLast((each) => each.bytes <= size)?.contents ?? [];
      expect(contentsOf(killed.store)).toEqual(acknowledged);
      // The log goes on after its last complete record.
      apply(killed.store, [0, 9, "after"]);
      await killed.state.close();
      const next = openState(folder);
      expect(contentsOf(next.store)).toEqual(contentsOf(killed.store));
      await next.state.close();
    }
  });

  it("replaces logs by a snapshot, also of an object that is written meanwhile", async () => {
    const { store, state } = openState(folder, 500);
    for (let index = 0; index < 200; index += 1) {
      apply(store, [0, index % 3, `value ${String(index)}`]);
      if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await state.idle();
    apply(store, [0, 1, "last"]);
    await state.idle();
    await state.close();
    const files = readdirSync(folder);
    expect(files.filter((name) => name.startsWith("snapshot-"))).toHaveLength(1);
    const size = files.reduce((total, name) => total + statSync(path.join(folder, name)).size, 0);
    expect(size).toBeLessThan(1500);
    const again = openState(folder);
    expect(contentsOf(again.store)).toEqual(contentsOf(store));
    await again.state.close();
  });

  it("restores what preceded a snapshot that was not completed", async () => {
    const { store, state } = openState(folder);
    apply(store, [0, 1, "a"]);
    await state.close();
    writeFileSync(path.join(folder, "snapshot-2.jsonl.draft"), "half of a record: {");
    writeFileSync(path.join(folder, "log-2.jsonl"), "");
    const again = openState(folder);
    expect(contentsOf(again.store)).toEqual(contentsOf(store));
    expect(readdirSync(folder).filter((name) => name.endsWith(".draft"))).toEqual([]);
    await again.state.close();
  });

  it("stores the contents to which a store is restored", async () => {
    const { store, state } = openState(folder);
    apply(store, [0, 1, "kept"]);
    const snapshot = store.snapshot();
    apply(store, [0, 1, "gone"]);
    apply(store, [1, 5, "gone"]);
    store.restore(snapshot);
    apply(store, [0, 2, "later"]);
    await state.close();
    const again = openState(folder);
    expect(contentsOf(again.store).map(({ value }) => value)).toEqual(["kept", "later"]);
    expect(again.store.revision).toBe(store.revision);
    await again.state.close();
  });

  it("keeps integers beyond 2^53 exact", async () => {
    const { store, state } = openState(folder);
    const object = { apiVersion: "v1", kind: "Thing", metadata: { name: "big" }, value: 9007199254740993n };
    store.write({ groupResource: THINGS, key: "big", current: undefined }, object);
    await state.close();
    const again = openState(folder);
    expect(contentsOf(again.store)[0]?.["value"]).toBe(9007199254740993n);
    await again.state.close();
  });

  it("refuses a record that was changed, with its file and line", async () => {
    const { store, state } = openState(folder);
    apply(store, [0, 1, "first"]);
    apply(store, [0, 2, "second"]);
    await state.close();
    const file = path.join(folder, "log-1.jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace("first", "worst"));
    expect(() => openState(folder)).toThrow(
      expect.objectContaining({
        code: "APISERVER_STATE_CORRUPT",
        message: `cannot restore the state of the server: ${file}:1: not a valid record`,
      }),
    );
    // The folder is not locked by the server that failed.
    expect(() => openState(folder)).toThrow(expect.objectContaining({ code: "APISERVER_STATE_CORRUPT" }));
  });

  it("refuses a snapshot without its end", async () => {
    const { store, state } = openState(folder, 1);
    apply(store, [0, 1, "a"]);
    await state.idle();
    await state.close();
    const name = readdirSync(folder).find((each) => each.startsWith("snapshot-")) ?? "";
    appendFileSync(path.join(folder, name), "0000");
    expect(() => openState(folder)).toThrow(/snapshot-\d+\.jsonl:3: the record is incomplete$/u);
  });

  it.skipIf(process.platform === "win32")("does not follow a link in the folder", () => {
    const target = path.join(folder, "target");
    writeFileSync(target, "");
    symlinkSync(target, path.join(folder, "log-1.jsonl"));
    expect(() => openState(folder)).toThrow(/ELOOP/u);
    expect(readFileSync(target, "utf8")).toBe("");
  });

  it("lets a folder be used by one server at a time", async () => {
    const { state } = openState(folder);
    expect(() => openState(folder)).toThrow(
      expect.objectContaining({
        code: "APISERVER_STATE_LOCKED",
        message: `cannot open the state folder ${folder}: the process ${String(process.pid)} uses it`,
      }),
    );
    await state.close();
    await openState(folder).state.close();
  });

  it("takes the lock of a process that has ended over", async () => {
    const { state } = openState(folder);
    const lock = readFileSync(path.join(folder, "lock"), "utf8");
    await state.close();
    // A process with the pid of this one that is not this one, as in a container that was restarted.
    writeFileSync(path.join(folder, "lock"), lock);
    await openState(folder).state.close();
    // Linux has at most 2^22 processes.
    writeFileSync(path.join(folder, "lock"), lock.replace(/"pid":\d+/u, '"pid":99999999'));
    const again = openState(folder);
    expect(readFileSync(path.join(folder, "lock"), "utf8")).toContain(`"pid":${String(process.pid)},`);
    await again.state.close();
    expect(readdirSync(folder).toSorted()).toEqual(["kubernetes-version", "log-1.jsonl"]);
  });
});
