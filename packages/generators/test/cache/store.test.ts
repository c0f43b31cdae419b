import { existsSync, readdirSync, utimesSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import {
  createCacheStore,
  pruneCache,
  readCacheEntry,
  touchCacheEntry,
  userCacheFolder,
  writeCacheEntry,
} from "../../src/cache/store.ts";

describe("the user's cache folder", () => {
  it("is the one that the environment names, when that is absolute", () => {
    expect(userCacheFolder({ XDG_CACHE_HOME: path.resolve("/caches") })).toBe(path.resolve("/caches/kubescaffold"));
    expect(userCacheFolder({ XDG_CACHE_HOME: "caches" })).not.toContain("caches/kubescaffold");
  });
});

describe("entries", () => {
  it("are written whole and read back", () => {
    const file = path.join(temporaryFolder(), "deep", "entry");
    expect(readCacheEntry(file)).toBeUndefined();
    writeCacheEntry(file, "text");
    expect(readCacheEntry(file)?.toString()).toBe("text");
    expect(readdirSync(path.dirname(file))).toEqual(["entry"]);
  });

  it("that cannot be written or read are done without", () => {
    const root = temporaryFolder({ blocked: "a file, not a folder" });
    const file = path.join(root, "blocked", "entry");
    writeCacheEntry(file, "text");
    touchCacheEntry(file, new Date());
    expect(readCacheEntry(file)).toBeUndefined();
    pruneCache(path.join(root, "blocked"), () => true, { maxEntries: 0, maxBytes: 0 });
    expect(readdirSync(root)).toEqual(["blocked"]);
  });
});

describe("pruning", () => {
  function folderWith(names: readonly string[]): string {
    const folder = temporaryFolder(Object.fromEntries(names.map((name) => [name, "1234567890"])));
    for (const [age, name] of names.entries()) utimesSync(path.join(folder, name), 1000 - age, 1000 - age);
    return folder;
  }
  const left = (folder: string): readonly string[] => readdirSync(folder).toSorted();

  it("keeps the newest entries of a kind, and all of other kinds", () => {
    const folder = folderWith(["a.json", "b.json", "c.json", "old.txt"]);
    pruneCache(folder, (name) => name.endsWith(".json"), { maxEntries: 2, maxBytes: 1000 });
    expect(left(folder)).toEqual(["a.json", "b.json", "old.txt"]);
  });

  it("keeps as many as fit", () => {
    const folder = folderWith(["a.json", "b.json", "c.json"]);
    pruneCache(folder, () => true, { maxEntries: 9, maxBytes: 25 });
    expect(left(folder)).toEqual(["a.json", "b.json"]);
  });

  it("goes by the time of the last use", () => {
    const folder = folderWith(["a.json", "b.json"]);
    touchCacheEntry(path.join(folder, "b.json"), new Date(2_000_000));
    pruneCache(folder, () => true, { maxEntries: 1, maxBytes: 1000 });
    expect(left(folder)).toEqual(["b.json"]);
    expect(existsSync(path.join(folder, "a.json"))).toBe(false);
  });
});

describe("a store of entries", () => {
  function storeIn(folder: string, maxEntries = 9) {
    return createCacheStore({
      folder,
      nameOf: (key) => `${key}.txt`,
      isOfKind: (name) => name.endsWith(".txt"),
      bounds: { maxEntries, maxBytes: 1000 },
    });
  }

  it("keeps an entry for each key", () => {
    const store = storeIn(path.join(temporaryFolder(), "notes"));
    store.write("a", "one");
    store.write("b", Uint8Array.of(0, 255));
    expect(store.read("a")?.toString()).toBe("one");
    expect([...(store.read("b") ?? [])]).toEqual([0, 255]);
    expect(store.read("c")).toBeUndefined();
  });

  it("drops what was not read for longest when there are too many", () => {
    const folder = temporaryFolder({ "a.txt": "one", "b.txt": "two", other: "" });
    utimesSync(path.join(folder, "a.txt"), 1000, 1000);
    utimesSync(path.join(folder, "b.txt"), 2000, 2000);
    const store = storeIn(folder, 2);
    store.read("a");
    store.write("c", "three");
    expect(readdirSync(folder).toSorted()).toEqual(["a.txt", "c.txt", "other"]);
  });
});
