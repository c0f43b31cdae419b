import { mkdtempSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { KUBERNETES_MINOR } from "@kubescaffold/k8s";
import { afterEach, beforeEach, expect, it } from "vitest";

import { PersistentState } from "../../../src/storage/persistence/persistent-state.ts";
import { Store } from "../../../src/storage/store.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "state-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const THINGS = { group: "", resource: "things" } as const;

function create(store: Store, name: string): void {
  const object = { apiVersion: "v1", kind: "Thing", metadata: { name } };
  store.write({ groupResource: THINGS, key: name, current: undefined }, object);
}

function namesOf(store: Store): readonly (string | undefined)[] {
  return store.list(THINGS).map(({ metadata }) => metadata.name);
}

it("fails a write that the disk refuses with 500, and goes on when there is space again", async () => {
  const store = new Store({ changes: 10, bytes: 1000 });
  const events: string[] = [];
  store.observe(THINGS, ({ key }) => events.push(key));
  let isFull = false;
  const write = (descriptor: number, bytes: Buffer, offset: number): number => {
    if (!isFull) return writeSync(descriptor, bytes, offset);
    writeSync(descriptor, bytes, offset, 5);
    throw Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" });
  };
  const state = new PersistentState(folder, store, { minor: KUBERNETES_MINOR, write });
  create(store, "before");
  isFull = true;
  expect(() => create(store, "refused")).toThrow(
    expect.objectContaining({
      status: expect.objectContaining({ code: 500 }) as unknown,
      message: `cannot record the write in ${path.join(folder, "log-1.jsonl")}: ENOSPC: no space left on device, write`,
    }),
  );
  isFull = false;
  create(store, "after");
  expect(namesOf(store)).toEqual(["after", "before"]);
  expect(events).toEqual(["before", "after"]);
  await state.close();

  const restored = new Store({ changes: 10, bytes: 1000 });
  const again = new PersistentState(folder, restored, { minor: KUBERNETES_MINOR });
  expect(namesOf(restored)).toEqual(["after", "before"]);
  await again.close();
});
