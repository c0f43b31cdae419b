import { readFile } from "node:fs/promises";
import path from "node:path";

import { checkNumbers } from "@kubescaffold/k8s";
import type { GroupVersion } from "@kubescaffold/k8s";
import { type Clock, realClock } from "@kubescaffold/platform/clock";
import { makeFolder, writePrivateFile } from "@kubescaffold/platform/files";

import type { ApiResource, DiscoveredGroup, DiscoveryClient } from "./discovery-client.ts";

/**
 * A discovery client that stores responses.
 *
 * client-go: discovery.CachedDiscoveryInterface
 */
export interface CachedDiscoveryClient extends DiscoveryClient {
  /** Reports whether all responses came from the server since the client was created or invalidated; if so, a missing kind is not served. */
  isFresh(): boolean;
  /** Ignores all responses that were stored before. */
  invalidate(): void;
}

/** Options of {@link createDiskCachedDiscovery}. */
export interface DiskCachedDiscoveryOptions {
  /** The folder of the cache, one for each server: `~/.kube/cache/kubescaffold/discovery/host_6443`. */
  readonly folder: string;
  /** Milliseconds until a stored response is requested again. Default: 6 hours. */
  readonly ttlMs?: number;
  /** The clock of the lifetime. Default: `realClock` of `@kubescaffold/platform/clock`. */
  readonly clock?: Clock;
}

/**
 * Wraps a discovery client with a cache on disk: groups in `groups.json`, and the resources of each group version in
 * `<group>/<version>/resources.json`.
 *
 * Guarantees: processes share the folder, since files are replaced atomically; corrupt, expired, and unreadable files are requested again, and a folder
 * that cannot be written is no error; names that are not those of groups and versions lead to no file. `group` and `serverVersion` are not cached.
 *
 * client-go: discovery/cached/disk.NewCachedDiscoveryClientForConfig
 */
export function createDiskCachedDiscovery(
  discovery: DiscoveryClient,
  options: DiskCachedDiscoveryOptions,
): CachedDiscoveryClient {
  return new DiskCachedDiscovery(discovery, options);
}

/** Reports whether a discovery client stores responses. */
export function isCachedDiscovery(discovery: DiscoveryClient): discovery is CachedDiscoveryClient {
  return typeof (discovery as Partial<CachedDiscoveryClient>).isFresh === "function";
}

const TTL_MS = 6 * 60 * 60_000;

/** The contents of a file. */
interface Entry<T> {
  readonly storedAt: number;
  readonly value: T;
}

class DiskCachedDiscovery implements CachedDiscoveryClient {
  readonly #discovery: DiscoveryClient;
  readonly #folder: string;
  readonly #ttlMs: number;
  readonly #clock: Clock;
  #ownFiles = new Set<string>();
  #isFresh = true;
  #isInvalidated = false;

  constructor(discovery: DiscoveryClient, { folder, ttlMs = TTL_MS, clock = realClock }: DiskCachedDiscoveryOptions) {
    checkNumbers("the discovery cache", { ttlMs }, { ttlMs: "duration" });
    this.#discovery = discovery;
    this.#folder = folder;
    this.#ttlMs = ttlMs;
    this.#clock = clock;
  }

  async groups(): Promise<readonly DiscoveredGroup[]> {
    const file = path.join(this.#folder, "groups.json");
    const stored = await this.#read(file, isGroupList);
    if (stored !== undefined) {
      return stored;
    }
    const groups = await this.#discovery.groups();
    await this.#write(file, groups);
    return groups;
  }

  group(name: string): Promise<DiscoveredGroup> {
    return this.#discovery.group(name);
  }

  async resources(groupVersion: GroupVersion): Promise<readonly ApiResource[]> {
    const file = this.#resourceFile(groupVersion);
    const stored = file === undefined ? undefined : await this.#read(file, isResourceList);
    if (stored !== undefined) {
      return stored;
    }
    const resources = await this.#discovery.resources(groupVersion);
    // Servers that start list no resources; like client-go, this is not stored.
    if (file !== undefined && resources.length > 0) {
      await this.#write(file, resources);
    }
    return resources;
  }

  serverVersion(): ReturnType<DiscoveryClient["serverVersion"]> {
    return this.#discovery.serverVersion();
  }

  isFresh(): boolean {
    return this.#isFresh;
  }

  invalidate(): void {
    this.#ownFiles = new Set();
    this.#isFresh = true;
    this.#isInvalidated = true;
    if (isCachedDiscovery(this.#discovery)) {
      this.#discovery.invalidate();
    }
  }

  // Names come from the server; others could lead out of the folder.
  #resourceFile({ group, version }: GroupVersion): string | undefined {
    const isName = (name: string): boolean => /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/u.test(name);
    return (group === "" || isName(group)) && isName(version)
      ? path.join(this.#folder, group, version, "resources.json")
      : undefined;
  }

  async #read<T>(file: string, isValid: (value: unknown) => value is T): Promise<T | undefined> {
    if (this.#isInvalidated && !this.#ownFiles.has(file)) {
      return undefined;
    }
    const entry = await readEntry(file);
    const age = this.#clock.now() - (entry?.storedAt ?? Number.NaN);
    if (entry === undefined || !(age >= 0 && age < this.#ttlMs) || !isValid(entry.value)) {
      return undefined;
    }
    this.#isFresh &&= this.#ownFiles.has(file);
    return entry.value;
  }

  async #write(file: string, value: unknown): Promise<void> {
    try {
      makeFolder(path.dirname(file), 0o700);
      await writePrivateFile(file, JSON.stringify({ storedAt: this.#clock.now(), value }));
      this.#ownFiles.add(file);
    } catch {
      // A cache that cannot be written is done without.
    }
  }
}

async function readEntry(file: string): Promise<Entry<unknown> | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as Entry<unknown>;
  } catch {
    return undefined;
  }
}

function isGroupList(value: unknown): value is readonly DiscoveredGroup[] {
  return isListOf(
    value,
    ({ name, versions }) =>
      typeof name === "string" &&
      isListOf(
        versions,
        ({ version, resources }) =>
          typeof version === "string" && (resources === undefined || isResourceList(resources)),
      ),
  );
}

function isResourceList(value: unknown): value is readonly ApiResource[] {
  return isListOf(
    value,
    ({ name, kind, namespaced, singularName, verbs, shortNames, categories }) =>
      [name, kind, singularName].every((text) => typeof text === "string") &&
      typeof namespaced === "boolean" &&
      [verbs, shortNames, categories].every(
        (list) => Array.isArray(list) && list.every((text) => typeof text === "string"),
      ),
  );
}

function isListOf(value: unknown, isItem: (item: Readonly<Record<string, unknown>>) => boolean): boolean {
  return (
    Array.isArray(value) &&
    value.every((item: unknown) => typeof item === "object" && item !== null && isItem(item as Record<string, unknown>))
  );
}
