import { checkNumbers } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { ApiObject } from "../storage/api-object.ts";
import type { StoreEvent } from "../storage/object-reader.ts";
import { estimateBytes, type Store } from "../storage/store.ts";
import { type RequestWrites, SERVER_AUTHOR, type WriteAuthor } from "./writes/request-writes.ts";

/** How much an `ObjectHistory` keeps; older versions are forgotten. */
export interface ObjectHistoryLimits {
  /** The number of versions of all objects. Default: 20000. */
  readonly versions?: number;
  /** The number of versions of one object. Default: 200. */
  readonly versionsPerObject?: number;
  /** About the bytes of all versions as JSON. Default: 64 MiB. */
  readonly bytes?: number;
}

/** A version of an object, and who wrote it. */
export interface ObjectVersion extends WriteAuthor {
  /** The version. */
  readonly resourceVersion: string;
  /** The time of the write, in milliseconds since 1970. */
  readonly at: number;
  /** What the write did; `found` is an object from before the history was recorded. */
  readonly change: "found" | "created" | "changed" | "deleted";
  /** The object as it is stored, with all its fields; frozen. The last state for a deleted object. */
  readonly object: ApiObject;
}

/** The versions of an object. */
export interface ObjectVersions {
  /** The versions that are kept, oldest first. */
  readonly versions: readonly ObjectVersion[];
  /** Whether older versions were forgotten. */
  readonly isTruncated: boolean;
}

interface Kept {
  readonly version: ObjectVersion;
  readonly bytes: number;
}

interface KeptVersions {
  versions: Kept[];
  isTruncated: boolean;
}

const NONE: ObjectVersions = { versions: [], isTruncated: false };

/** Records who changed what in a store. */
export class ObjectHistory {
  readonly #objects = new Map<string, KeptVersions>();
  readonly #clock: Clock;
  readonly #writes: RequestWrites;
  readonly #limits: Required<ObjectHistoryLimits>;
  // The uid of each version in the order of writes; versions that are forgotten already are skipped.
  #order: { readonly uid: string; readonly kept: Kept }[] = [];
  #orderStart = 0;
  #count = 0;
  #bytes = 0;

  constructor(
    { clock, writes }: { readonly clock: Clock; readonly writes: RequestWrites },
    { versions = 20_000, versionsPerObject = 200, bytes = 64 * 1024 * 1024 }: ObjectHistoryLimits,
  ) {
    this.#clock = clock;
    this.#writes = writes;
    this.#limits = { versions, versionsPerObject, bytes };
    checkNumbers("the history", this.#limits, {
      versions: "duration",
      versionsPerObject: "duration",
      bytes: "duration",
    });
  }

  /** Records the writes of a store from now on. */
  follow(store: Store): void {
    this.#writes.follow();
    store.observe(undefined, (event) => this.#record(event));
  }

  /** Returns the versions of an object, also of a deleted one. */
  of(uid: string): ObjectVersions {
    const kept = this.#objects.get(uid);
    return kept === undefined
      ? NONE
      : { versions: kept.versions.map(({ version }) => version), isTruncated: kept.isTruncated };
  }

  /** Forgets everything. */
  clear(): void {
    this.#objects.clear();
    this.#order = [];
    this.#orderStart = 0;
    this.#count = 0;
    this.#bytes = 0;
  }

  #record({ kind, object, previous }: StoreEvent): void {
    const { uid } = object.metadata;
    if (uid === undefined) return;
    let kept = this.#objects.get(uid);
    if (kept === undefined) {
      kept = { versions: [], isTruncated: false };
      this.#objects.set(uid, kept);
      if (previous !== undefined)
        this.#add(uid, kept, versionOf(previous, "found", { author: SERVER_AUTHOR, at: timeOf(previous) }));
    }
    this.#add(uid, kept, versionOf(object, CHANGES[kind], { author: this.#writes.author, at: this.#clock.now() }));
    this.#trim();
  }

  #add(uid: string, kept: KeptVersions, version: ObjectVersion): void {
    const entry = { version, bytes: estimateBytes(version.object) };
    kept.versions.push(entry);
    this.#order.push({ uid, kept: entry });
    this.#count += 1;
    this.#bytes += entry.bytes;
    if (kept.versions.length > this.#limits.versionsPerObject) this.#forgetFirst(kept);
  }

  #trim(): void {
    while (this.#count > this.#limits.versions || this.#bytes > this.#limits.bytes) {
      const oldest = this.#order[this.#orderStart];
      if (oldest === undefined) break;
      this.#orderStart += 1;
      const kept = this.#objects.get(oldest.uid);
      if (kept?.versions[0] !== oldest.kept) continue;
      this.#forgetFirst(kept);
      if (kept.versions.length === 0) this.#objects.delete(oldest.uid);
    }
    // What is forgotten of an object that changes often stays in the order until it is older than all limits.
    if (this.#order.length > 2 * this.#count + 1000) {
      const current = new Set([...this.#objects.values()].flatMap(({ versions }) => versions));
      this.#order = this.#order.filter(({ kept }) => current.has(kept));
      this.#orderStart = 0;
    }
  }

  #forgetFirst(kept: KeptVersions): void {
    const [first] = kept.versions.splice(0, 1);
    if (first === undefined) return;
    kept.isTruncated = true;
    this.#count -= 1;
    this.#bytes -= first.bytes;
  }
}

const CHANGES = { added: "created", modified: "changed", deleted: "deleted" } as const;

function versionOf(
  object: ApiObject,
  change: ObjectVersion["change"],
  { author, at }: { readonly author: WriteAuthor; readonly at: number },
): ObjectVersion {
  return { resourceVersion: object.metadata.resourceVersion ?? "", at, change, ...author, object };
}

// The last write that its field managers tell of.
function timeOf({ metadata }: ApiObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => (typeof time === "string" ? Date.parse(time) : 0)));
}
