import type { ReadonlyObject } from "@kubescaffold/k8s/meta/v1";

// A cache that is further behind than this has other problems, and the record of a kind that is never read must not grow.
const KEPT_MS = 300_000;

/** What a cache must contain before it may be read. */
interface WriteTarget {
  /** The version of the last write, 0 without one. */
  version: bigint;
  /** The UIDs of deleted objects. */
  readonly deleted: Set<string>;
  recordedAtMs: number;
}

/** What a cache has of an object. */
export interface CachedState {
  readonly cached: ReadonlyObject | undefined;
  /** The version up to which the cache has received changes in the object's namespace. */
  readonly observed: bigint;
}

/** The cache of whole objects, or that of their metadata; each may be behind the other. */
export type CachedForm = "whole" | "metadata";

/** The writes of a client to the objects of one kind, as long as a cache may not contain them. */
export class WriteRecord {
  readonly #targets: Readonly<Record<CachedForm, Map<string, WriteTarget>>> = { whole: new Map(), metadata: new Map() };
  readonly #running = new Map<Promise<unknown>, string>();
  readonly #nowMs: () => number;
  #purgedAtMs: number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#purgedAtMs = nowMs();
  }

  /** Runs a write, for which reads that begin meanwhile wait; without a key, those of all objects. */
  async run<T>(key: string | undefined, write: () => Promise<T>): Promise<T> {
    const running = write();
    this.#running.set(running, key ?? "");
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Resolves when the writes that run now have ended; with a key, those of one object. */
  async settled(key: string | undefined): Promise<void> {
    const running = [...this.#running].filter(([, each]) => key === undefined || each === key || each === "");
    await Promise.allSettled(running.map(([promise]) => promise));
  }

  /** Records the version of a written object. */
  written(key: string, resourceVersion: string | undefined): void {
    const version = parseVersion(resourceVersion);
    if (version > 0n) this.#record(key, version);
  }

  /** Records that an object was deleted; its version is the last one that the caller knows. */
  deleted(key: string, { uid, resourceVersion }: ReadonlyObject["metadata"]): void {
    this.#record(key, parseVersion(resourceVersion), uid);
  }

  /** Returns the keys of the objects whose writes the cache may not contain: of all of them, or only one. */
  keys(form: CachedForm, only: string | undefined): readonly string[] {
    const targets = this.#targets[form];
    if (only === undefined) return [...targets.keys()];
    return targets.has(only) ? [only] : [];
  }

  /** Reports whether a cached object is as the writes left it; if so, the writes are forgotten. */
  isContained(form: CachedForm, key: string, { cached, observed }: CachedState): boolean {
    const target = this.#targets[form].get(key);
    if (target === undefined) return true;
    const isCurrent = observed >= target.version || versionOf(cached) >= target.version;
    const { uid, deletionTimestamp } = cached?.metadata ?? {};
    const isStillThere = uid !== undefined && target.deleted.has(uid) && deletionTimestamp === undefined;
    if (!isCurrent || isStillThere) return false;
    this.#targets[form].delete(key);
    return true;
  }

  #record(key: string, version: bigint, deletedUid?: string): void {
    const now = this.#nowMs();
    this.#purge(now);
    for (const targets of Object.values(this.#targets)) {
      const target = targets.get(key) ?? { version: 0n, deleted: new Set<string>(), recordedAtMs: now };
      target.recordedAtMs = now;
      if (version > target.version) target.version = version;
      if (deletedUid !== undefined) target.deleted.add(deletedUid);
      targets.set(key, target);
    }
  }

  #purge(now: number): void {
    if (now < this.#purgedAtMs + KEPT_MS) return;
    this.#purgedAtMs = now;
    for (const targets of Object.values(this.#targets)) {
      for (const [key, { recordedAtMs }] of targets) if (recordedAtMs + KEPT_MS <= now) targets.delete(key);
    }
  }
}

/** Returns the version of an object, 0 without one. */
export function versionOf(object: ReadonlyObject | undefined): bigint {
  return parseVersion(object?.metadata.resourceVersion);
}

/** Parses a resourceVersion as a number, 0 if it is none. */
export function parseVersion(resourceVersion: string | undefined): bigint {
  return resourceVersion !== undefined && /^\d+$/u.test(resourceVersion) ? BigInt(resourceVersion) : 0n;
}
