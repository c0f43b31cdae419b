import { printServerJson } from "@kubescaffold/k8s";
import type { KubernetesObject, ManagedFieldsEntry } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";
import { redactSecrets } from "@kubescaffold/runtime";

import type { ObjectVersion as Version, ObjectVersions } from "../objects/object-versions.ts";

/** Limits of a {@link WatchedHistory}. */
export interface WatchedHistoryLimits {
  readonly versions?: number;
  readonly versionsPerObject?: number;
  readonly bytes?: number;
}

interface Kept {
  readonly version: Version;
  readonly bytes: number;
}

interface KeptVersions {
  versions: Kept[];
  isTruncated: boolean;
}

/**
 * The versions of objects that watches of a cluster have delivered, without the data of Secrets. The field managers tell who wrote a version, and
 * whether by apply; a cluster does not tell the user.
 *
 * Guarantees: within the limits, the latest versions are kept; an object that was deleted keeps its versions.
 */
export class WatchedHistory {
  readonly #clock: Clock;
  readonly #limits: Required<WatchedHistoryLimits>;
  // In the order of the latest change, so that objects that do not change are forgotten first.
  readonly #objects = new Map<string, KeptVersions>();
  #count = 0;
  #bytes = 0;

  constructor(
    clock: Clock,
    { versions = 20_000, versionsPerObject = 200, bytes = 64 * 1024 * 1024 }: WatchedHistoryLimits = {},
  ) {
    this.#clock = clock;
    this.#limits = { versions, versionsPerObject, bytes };
  }

  /** Records a version; `isExisting` is for objects that existed when the watch started. */
  record(object: KubernetesObject, { isExisting }: { readonly isExisting: boolean }): void {
    const { uid, resourceVersion = "" } = object.metadata;
    if (uid === undefined) return;
    const last = this.#objects.get(uid)?.versions.at(-1)?.version;
    // A list after a lost watch repeats objects that did not change.
    if (last?.resourceVersion === resourceVersion && last.change !== "deleted") return;
    const shown = redactSecrets(object);
    const { subresource, fieldManager, verb } = authorOf(object, last?.object);
    const author = { subresource, fieldManager };
    if (last !== undefined) {
      this.#add(uid, { ...versionOf(shown, { change: "changed", verb, at: this.#clock.now() }), ...author });
    } else if (isExisting) {
      this.#add(uid, { ...versionOf(shown, { change: "found", verb: "", at: timeOf(object) }), ...author });
    } else {
      this.#add(uid, { ...versionOf(shown, { change: "created", verb: "create", at: this.#clock.now() }), ...author });
    }
  }

  /** Records a deletion. */
  delete(uid: string): void {
    const last = this.#objects.get(uid)?.versions.at(-1)?.version;
    if (last === undefined || last.change === "deleted") return;
    this.#add(uid, versionOf(last.object, { change: "deleted", verb: "delete", at: this.#clock.now() }));
  }

  /** Returns the versions of an object, also of a deleted one. */
  history({ metadata }: { readonly metadata?: { readonly uid?: string } }): ObjectVersions {
    const kept = this.#objects.get(metadata?.uid ?? "");
    return kept === undefined
      ? { versions: [], isTruncated: false }
      : { versions: kept.versions.map(({ version }) => version), isTruncated: kept.isTruncated };
  }

  #add(uid: string, version: Version): void {
    const kept = this.#objects.get(uid) ?? { versions: [], isTruncated: false };
    const entry = { version, bytes: printServerJson(version.object).length };
    kept.versions.push(entry);
    this.#objects.delete(uid);
    this.#objects.set(uid, kept);
    this.#count += 1;
    this.#bytes += entry.bytes;
    if (kept.versions.length > this.#limits.versionsPerObject) this.#forgetFirst(kept);
    while (this.#count > this.#limits.versions || this.#bytes > this.#limits.bytes) this.#trim();
  }

  #trim(): void {
    const [oldest] = this.#objects;
    if (oldest === undefined) return;
    const [uid, kept] = oldest;
    this.#forgetFirst(kept);
    if (kept.versions.length === 0) this.#objects.delete(uid);
  }

  #forgetFirst(kept: KeptVersions): void {
    const first = kept.versions.shift();
    if (first === undefined) return;
    kept.isTruncated = true;
    this.#count -= 1;
    this.#bytes -= first.bytes;
  }
}

function versionOf(object: unknown, { change, verb, at }: Pick<Version, "change" | "verb" | "at">): Version {
  const shown = object as Version["object"];
  const { resourceVersion = "" } = shown.metadata;
  return {
    resourceVersion,
    at,
    change,
    verb,
    subresource: "",
    user: "",
    fieldManager: "",
    object: shown,
  };
}

// The field manager whose entry is new or has changed; several of them cannot belong to one write.
function authorOf(
  { metadata }: KubernetesObject,
  before: Version["object"] | undefined,
): Pick<Version, "verb" | "subresource" | "fieldManager"> {
  const known = new Map((before?.metadata.managedFields ?? []).map((entry) => [keyOf(entry), printServerJson(entry)]));
  const changed = (metadata.managedFields ?? []).filter((entry) => known.get(keyOf(entry)) !== printServerJson(entry));
  const author = changed.toSorted((left, right) => (left.time ?? "").localeCompare(right.time ?? "")).at(-1);
  return {
    verb: author?.operation === "Apply" ? "apply" : "update",
    subresource: author?.subresource ?? "",
    fieldManager: author?.manager ?? "",
  };
}

function keyOf({ manager = "", operation = "", subresource = "" }: ManagedFieldsEntry): string {
  return [manager, operation, subresource].join(" ");
}

// The last write that the field managers tell of.
function timeOf({ metadata }: KubernetesObject): number {
  const times = [metadata.creationTimestamp, ...(metadata.managedFields ?? []).map(({ time }) => time)];
  return Math.max(0, ...times.map((time) => (time === undefined ? 0 : Date.parse(time))));
}
