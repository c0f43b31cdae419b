import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";

import { expect, it } from "vitest";

import { createRunStore, createSourceStore } from "../../../src/cli/generating/run-store.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

it("keeps a text for each key", () => {
  const folder = temporaryFolder();
  const store = createRunStore(folder);
  store?.write("a/b+c=", "one");
  store?.write("other", "two");
  expect([store?.read("a/b+c="), store?.read("other"), store?.read("none")]).toEqual(["one", "two", undefined]);
});

it("keeps no more than two hundred", () => {
  const folder = temporaryFolder();
  const store = createRunStore(folder);
  store?.write("first", "text");
  for (let index = 0; index < 210; index += 1) writeFileSync(path.join(folder, "runs", `${index}.json`), "{}");
  store?.write("last", "text");
  expect(readdirSync(path.join(folder, "runs"))).toHaveLength(200);
  expect(store?.read("last")).toBe("text");
});

it("remembers nothing where nothing can be written", () => {
  const folder = temporaryFolder({ runs: "a file, not a folder" });
  const store = createRunStore(folder);
  store?.write("key", "text");
  expect(store?.read("key")).toBeUndefined();
});

it("keeps the bytes of sources for each key", () => {
  const folder = temporaryFolder();
  createSourceStore(folder)?.write("a/b", Buffer.from([1, 0, 255]));
  const store = createSourceStore(folder);
  expect([...(store?.read("a/b") ?? [])]).toEqual([1, 0, 255]);
  expect(store?.read("other")).toBeUndefined();
});
