import { type GroupResource, RECURSIVE_LEVELS, StatusError, deepFreeze, printServerJson } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";
import { insertKey, keyOf, keyRange, lowerBound } from "./object-key.ts";
import type { ObjectReader, StoreEvent } from "./object-reader.ts";
import type { StoreReads, TableContents, TableReads } from "./store-reads.ts";

/** How much of the past a store keeps for each resource. */
export interface HistoryLimits {
  readonly changes: number;
  /** Bytes of the objects that changes have replaced. */
  readonly bytes: number;
}

/** All that a store holds at one moment. */
export interface StoreSnapshot {
  readonly tables: ReadonlyMap<string, { readonly groupResource: GroupResource; readonly contents: TableContents }>;
}

/** Records the writes of a store, each before it is applied. When it throws, the write fails with its error and changes nothing. */
export interface StoreJournal {
  /** Records a write. */
  append(event: StoreEvent): void;
  /** Records that the contents were replaced. */
  replaceAll(snapshot: StoreSnapshot, revision: number): void;
}

/** A write; `current` is the object that the writer has seen, by identity. */
export interface StoreWrite {
  readonly groupResource: GroupResource;
  readonly key: string;
  readonly current: ApiObject | undefined;
}

// The one of an empty etcd: a watch from it has everything that the server stores when it starts.
const FIRST_REVISION = 1;

/**
 * Stores the objects of all resources, with one sequence of revisions for all of them.
 *
 * Guarantees: a write is one synchronous step; what is stored is frozen; events reach listeners in order of revisions.
 */
export class Store implements ObjectReader, StoreReads {
  #revision = FIRST_REVISION;
  // The revision up to which the changes of all resources are forgotten; without a table, a resource has had no changes since.
  #compactedAt = FIRST_REVISION;
  #listsFrom = FIRST_REVISION;
  // By resource and group, since each request looks up some, and would make their names.
  readonly #tables = new Map<string, Map<string, Table>>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #history: HistoryLimits;
  #journal: StoreJournal | undefined;

  constructor(history: HistoryLimits) {
    this.#history = history;
  }

  /** Records all writes from now on, or none. */
  recordIn(journal: StoreJournal | undefined): void {
    this.#journal = journal;
  }

  /** The revision from which lists can be read. */
  get listsFrom(): number {
    return this.#listsFrom;
  }

  /** Expires lists of earlier revisions; watches can still continue from these. */
  expireLists(revision: number): void {
    this.#listsFrom = Math.max(this.#listsFrom, revision);
  }

  /** The revision of the last write to anything. */
  get revision(): number {
    return this.#revision;
  }

  get(groupResource: GroupResource, key: { readonly namespace: string; readonly name: string }): ApiObject | undefined {
    return this.table(groupResource).get(keyOf(key));
  }

  list(groupResource: GroupResource, namespace?: string): readonly ApiObject[] {
    const { keys, objects } = this.table(groupResource).current();
    const { start, end } = keyRange(keys, namespace);
    const listed: ApiObject[] = [];
    for (let index = start; index < end; index += 1) listed.push(objects.get(keys[index] as string) as ApiObject);
    return listed;
  }

  observe(groupResource: GroupResource | undefined, listener: (event: StoreEvent) => void): () => void {
    const listeners = groupResource === undefined ? this.#listeners : this.table(groupResource).listeners;
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  }

  /** Returns the table of a resource. */
  table(groupResource: GroupResource): Table {
    const { group, resource } = groupResource;
    const known = this.#tables.get(resource)?.get(group);
    if (known !== undefined) return known;
    const table = new Table(this.#compactedAt, this.#history);
    const ofResource = this.#tables.get(resource) ?? new Map<string, Table>();
    this.#tables.set(resource, ofResource.set(group, table));
    return table;
  }

  *#allTables(): Generator<{ readonly groupResource: GroupResource; readonly table: Table }> {
    for (const [resource, tables] of this.#tables)
      for (const [group, table] of tables) yield { groupResource: { group, resource }, table };
  }

  /**
   * Stores an object, new or in place of the one that the writer has seen; the object is stamped, frozen, and belongs to the store.
   *
   * Returns undefined when what is stored is no longer what the writer has seen. Fails: with 500 when the object is too large.
   */
  write({ groupResource, key, current }: StoreWrite, object: ApiObject): ApiObject | undefined {
    const table = this.table(groupResource);
    if (table.get(key) !== current) {
      return undefined;
    }
    object.metadata.resourceVersion = String(this.#revision + 1);
    const bytes = freezeAndMeasure(object);
    this.#revision += 1;
    const event: StoreEvent = {
      kind: current === undefined ? "added" : "modified",
      groupResource,
      revision: this.#revision,
      key,
      object,
      previous: current,
    };
    this.#apply(table, event, bytes);
    return object;
  }

  /** Deletes the object that the writer has seen; returns its last state with the resourceVersion of the delete. */
  delete({ groupResource, key, current }: StoreWrite): ApiObject | undefined {
    const table = this.table(groupResource);
    if (current === undefined || table.get(key) !== current) {
      return undefined;
    }
    this.#revision += 1;
    const object = deepFreeze(withResourceVersion(current, this.#revision));
    this.#apply(table, { kind: "deleted", groupResource, revision: this.#revision, key, object, previous: current }, 0);
    return object;
  }

  /** Forgets all changes up to now. */
  compact(): void {
    this.#compactedAt = this.#revision;
    for (const { table } of this.#allTables()) {
      table.compact(this.#revision);
    }
  }

  snapshot(): StoreSnapshot {
    const tables = new Map<string, { groupResource: GroupResource; contents: TableContents }>();
    for (const { groupResource, table } of this.#allTables()) {
      const { objects, keys } = table.current();
      tables.set(tableName(groupResource), { groupResource, contents: { objects: new Map(objects), keys: [...keys] } });
    }
    return { tables };
  }

  /** Returns to a snapshot; revisions go on growing, and no watch can go on from before. */
  restore(snapshot: StoreSnapshot): void {
    const revision = this.#revision + 1;
    this.#journal?.replaceAll(snapshot, revision);
    this.load(snapshot, revision);
  }

  /** Replaces the contents as of a revision that is not lower than the current one; nothing is recorded. */
  load(snapshot: StoreSnapshot, revision: number): void {
    this.#revision = revision;
    this.#compactedAt = revision;
    for (const { groupResource } of snapshot.tables.values()) {
      this.table(groupResource);
    }
    for (const { groupResource, table } of this.#allTables()) {
      const loaded = snapshot.tables.get(tableName(groupResource));
      table.load(loaded?.contents ?? { objects: new Map(), keys: [] }, this.#revision);
    }
  }

  #apply(table: Table, event: StoreEvent, bytes: number): void {
    this.#journal?.append(event);
    table.apply(event, bytes);
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

function withResourceVersion(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** Holds the objects of one resource in order of their keys, and the last changes to them. */
class Table implements TableReads {
  #objects = new Map<string, ApiObject>();
  #keys: string[] = [];
  #events: StoreEvent[] = [];
  readonly #sizes = new Map<string, number>();
  // Bytes that each change has replaced, beside the changes.
  #replaced: number[] = [];
  #replacedTotal = 0;
  #compactedAt: number;
  #watchesFrom = 0;
  readonly #history: HistoryLimits;
  readonly listeners: Set<(event: StoreEvent) => void> = new Set();

  constructor(revision: number, history: HistoryLimits) {
    this.#compactedAt = revision;
    this.#history = history;
  }

  /** The revision up to which changes are forgotten. */
  get compactedAt(): number {
    return this.#compactedAt;
  }

  /** The revision from which watches can continue. */
  get watchesFrom(): number {
    return Math.max(this.#compactedAt, this.#watchesFrom);
  }

  /** Expires watches of earlier revisions; lists can still read these. */
  expireWatches(revision: number): void {
    this.#watchesFrom = revision;
  }

  get(key: string): ApiObject | undefined {
    return this.#objects.get(key);
  }

  /** The contents now; they change with the next write. */
  current(): TableContents {
    return { objects: this.#objects, keys: this.#keys };
  }

  /** The contents at a revision, or undefined when the changes since then are forgotten. */
  at(revision: number): TableContents | undefined {
    if (revision < this.#compactedAt) {
      return undefined;
    }
    const later = this.since(revision);
    return later.length === 0 ? this.current() : undo({ objects: this.#objects, events: later });
  }

  /** The changes after a revision that is not forgotten, oldest first. */
  since(revision: number): readonly StoreEvent[] {
    const start = this.#indexAfter(revision);
    return start === this.#events.length ? [] : this.#events.slice(start);
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#events[middle] as StoreEvent).revision > revision) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  /** Applies a change and tells the listeners. */
  apply(event: StoreEvent, bytes: number): void {
    if (event.kind === "deleted") {
      this.#objects.delete(event.key);
      this.#keys.splice(lowerBound(this.#keys, event.key), 1);
    } else {
      this.#objects.set(event.key, event.object);
      if (event.kind === "added") {
        insertKey(this.#keys, event.key);
      }
    }
    this.#remember(event, bytes);
    for (const listener of this.listeners) {
      listener(event);
    }
  }

  /** Forgets the changes up to a revision. */
  compact(revision: number): void {
    this.#forget(this.#indexAfter(revision));
    this.#compactedAt = Math.max(this.#compactedAt, revision);
  }

  /** Replaces the contents as of a revision; all changes are forgotten. */
  load(contents: TableContents, revision: number): void {
    this.#objects = new Map(contents.objects);
    this.#keys = [...contents.keys];
    this.#forget(this.#events.length);
    this.#sizes.clear();
    this.#compactedAt = revision;
  }

  #remember(event: StoreEvent, bytes: number): void {
    const replaced = event.previous === undefined ? 0 : (this.#sizes.get(event.key) ?? estimateBytes(event.previous));
    if (event.kind === "deleted") this.#sizes.delete(event.key);
    else this.#sizes.set(event.key, bytes);
    this.#events.push(event);
    this.#replaced.push(replaced);
    this.#replacedTotal += replaced;
    // Trimmed by halves, so that a write does not move the whole history.
    const { changes, bytes: limitBytes } = this.#history;
    if (this.#events.length > 2 * changes) this.#forget(this.#events.length - changes);
    if (this.#replacedTotal > 2 * limitBytes) this.#forgetBytes(this.#replacedTotal - limitBytes);
  }

  #forgetBytes(bytes: number): void {
    let count = 0;
    for (let sum = 0; sum < bytes && count < this.#replaced.length; count += 1) sum += this.#replaced[count] as number;
    this.#forget(count);
  }

  #forget(count: number): void {
    if (count === 0) return;
    this.#compactedAt = Math.max(this.#compactedAt, (this.#events[count - 1] as StoreEvent).revision);
    for (let index = 0; index < count; index += 1) this.#replacedTotal -= this.#replaced[index] as number;
    this.#events = this.#events.slice(count);
    this.#replaced = this.#replaced.slice(count);
  }
}

function undo({
  objects,
  events,
}: {
  readonly objects: ReadonlyMap<string, ApiObject>;
  readonly events: readonly StoreEvent[];
}): TableContents {
  const earlier = new Map(objects);
  for (const event of events.toReversed()) {
    if (event.previous === undefined) {
      earlier.delete(event.key);
    } else {
      earlier.set(event.key, event.previous);
    }
  }
  return { objects: earlier, keys: [...earlier.keys()].sort() };
}

/** Returns the name of the table of a resource, `resource.group`. */
export function tableName(groupResource: GroupResource): string {
  return `${groupResource.resource}.${groupResource.group}`;
}

/** The limit of etcd for one request, in bytes. There, built-in kinds are stored as protobuf, which is shorter than JSON. */
export const LARGEST_OBJECT_BYTES: number = 1.5 * 1024 * 1024;

/**
 * Freezes an object and everything in it, and returns about how many characters it has as JSON, in one pass.
 *
 * Fails: with 500 and the message of etcd when it has more bytes than etcd stores.
 */
function freezeAndMeasure(object: object): number {
  const estimate = measure(object, Object.freeze);
  // A character has three bytes at most, or six when it is escaped.
  if (estimate * 6 > LARGEST_OBJECT_BYTES && Buffer.byteLength(printServerJson(object)) > LARGEST_OBJECT_BYTES) {
    throw tooLargeToStore();
  }
  return estimate;
}

/** Creates the error that an object has more bytes than etcd stores: 500, with the message of etcd. */
export function tooLargeToStore(): StatusError {
  return new StatusError({
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message: "etcdserver: request is too large",
    code: 500,
  });
}

/** Returns about how many characters a value has as JSON. */
export function estimateBytes(value: unknown): number {
  return measure(value, ignore);
}

const ignore = (): void => undefined;

function measure(value: unknown, visit: (part: object) => void): number {
  const run: Measurement = { visit, later: [] };
  let total = measurePart(value, 0, run);
  for (let next = run.later.pop(); next !== undefined; next = run.later.pop()) total += measurePart(next, 0, run);
  return total;
}

interface Measurement {
  readonly visit: (part: object) => void;
  /** The parts that are too deep to be measured with calls. */
  readonly later: object[];
}

function measurePart(value: unknown, level: number, run: Measurement): number {
  if (typeof value === "string") return value.length + 2;
  if (typeof value !== "object" || value === null) return 5;
  if (level === RECURSIVE_LEVELS) {
    run.later.push(value);
    return 0;
  }
  let total = 2;
  if (Array.isArray(value)) {
    for (const item of value)
      total += (typeof item === "string" ? item.length + 2 : measurePart(item, level + 1, run)) + 1;
  } else {
    for (const key in value) {
      total += key.length + 4 + measurePart((value as Record<string, unknown>)[key], level + 1, run);
    }
  }
  run.visit(value);
  return total;
}
