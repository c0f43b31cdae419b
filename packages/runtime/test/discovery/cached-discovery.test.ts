import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, expect, it } from "vitest";

import { type CachedDiscoveryClient, createDiskCachedDiscovery } from "../../src/discovery/cached-discovery.ts";
import { createDiscoveryClient } from "../../src/discovery/discovery-client.ts";
import { isNoMatch } from "../../src/discovery/errors.ts";
import { createRestMapper } from "../../src/discovery/rest-mapper.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { createFakeApi, type FakeApi } from "../client/fake-api.ts";

const APPS = { group: "apps", version: "v1" };
const TTL_MS = 60_000;

let folder: string;
let clock: FakeClock;
let api: FakeApi;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "discovery-"));
  clock = new FakeClock();
  api = createFakeApi({ aggregated: false });
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

function open(to = folder): CachedDiscoveryClient {
  return createDiskCachedDiscovery(createDiscoveryClient(createRestClient(api.config)), {
    folder: to,
    ttlMs: TTL_MS,
    clock,
  });
}

it("reads what another process stored, until it expires", async () => {
  const [groups, resources] = [await open().groups(), await open().resources(APPS)];
  const before = api.discovery.length;
  const second = open();
  expect(await second.groups()).toEqual(groups);
  expect(await second.resources(APPS)).toEqual(resources);
  expect(api.discovery).toHaveLength(before);
  expect(second.isFresh()).toBe(false);
  clock.step(TTL_MS);
  const third = open();
  await third.resources(APPS);
  expect(api.discovery).toHaveLength(before + 1);
  expect(third.isFresh()).toBe(true);
});

it("stores files that only the owner can read, one for each group version", async () => {
  const cached = open(path.join(folder, "new"));
  await cached.groups();
  await cached.resources(APPS);
  await cached.resources({ group: "", version: "v1" });
  expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".json")).toSorted()).toEqual([
    "new/apps/v1/resources.json",
    "new/groups.json",
    "new/v1/resources.json",
  ]);
  expect((await stat(path.join(folder, "new", "groups.json"))).mode & 0o777).toBe(0o600);
});

it("uses only its own files after it was invalidated", async () => {
  await open().resources(APPS);
  const cached = open();
  await cached.resources(APPS);
  cached.invalidate();
  expect(cached.isFresh()).toBe(true);
  await cached.resources(APPS);
  await cached.resources(APPS);
  expect(api.discovery).toHaveLength(2);
  expect(cached.isFresh()).toBe(true);
});

it.each(["", "{", "null", '{"storedAt":0,"value":[1]}', '{"storedAt":0,"value":[{"name":"x"}]}'])(
  "requests again what is corrupt: %j",
  async (text) => {
    const file = path.join(folder, "apps", "v1", "resources.json");
    const expected = await open().resources(APPS);
    await writeFile(file, text.replace('"storedAt":0', `"storedAt":${String(clock.now())}`));
    expect(await open().resources(APPS)).toEqual(expected);
    expect(api.discovery).toHaveLength(2);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ value: expected });
  },
);

it("does not store what a server names outside of the folder, and works without the folder", async () => {
  const inner = path.join(folder, "a", "b");
  const hostile = createDiscoveryClient(createRestClient(api.config));
  const resources = await hostile.resources(APPS);
  const cached = createDiskCachedDiscovery({ ...hostile, resources: async () => resources }, { folder: inner, clock });
  for (const groupVersion of [
    { group: "../..", version: "v1" },
    { group: "apps", version: ".." },
    { group: "/etc", version: "v1" },
  ]) {
    expect(await cached.resources(groupVersion)).toEqual(resources);
  }
  expect(await readdir(folder)).toEqual([]);
  await writeFile(path.join(folder, "a"), "");
  expect(await open(inner).resources(APPS)).toEqual(resources);
});

it("a mapper ignores the cache when a kind is missing, and when it is reset", async () => {
  const late = { group: "apps", version: "v1", kind: "Late" };
  const mapper = createRestMapper(open());
  await expect(mapper.restMapping(late)).rejects.toSatisfy(isNoMatch);
  api.resources.push({ ...late, resource: "lates", namespaced: false });
  const other = createRestMapper(open());
  expect(await other.restMapping(late)).toMatchObject({ scope: "cluster" });
  mapper.reset();
  expect(await mapper.restMapping(late)).toMatchObject({ scope: "cluster" });
});
