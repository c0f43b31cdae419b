import { type GroupResource, deepFreeze } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";
import type { ObjectReader, StoreEvent } from "./object-reader.ts";

/** All that a store holds at one moment. */
export interface StoreSnapshot {
  readonly tables: ReadonlyMap<string, { readonly groupResource: GroupResource; readonly contents: TableContents }>;
}

/** A write; `current` is the object that the writer has seen, by identity. */
export interface StoreWrite {
  readonly groupResource: GroupResource;
  readonly key: string;
  readonly current: ApiObject | undefined;
}

// Well above 1, so that a watch from resourceVersion 1 is too old, as it is on a server that has run for a while.
const FIRST_REVISION = 100;

/**
 * Stores the objects of all resources, with one sequence of revisions for all of them.
 *
 * Guarantees: a write is one synchronous step; what is stored is frozen; events reach listeners in order of revisions.
 */
export class Store implements ObjectReader {
  #revision = FIRST_REVISION;
  readonly #tables = new Map<string, { readonly groupResource: GroupResource; readonly table: Table }>();
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  readonly #historyLimit: number;

  constructor(historyLimit: number) {
    this.#historyLimit = historyLimit;
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
    return keys.slice(start, end).map((key) => objects.get(key) as ApiObject);
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
    const name = tableName(groupResource);
    let entry = this.#tables.get(name);
    if (entry === undefined) {
      entry = { groupResource, table: new Table(this.#revision, this.#historyLimit) };
      this.#tables.set(name, entry);
    }
    return entry.table;
  }

  /**
   * Stores an object, new or in place of the one that the writer has seen; the object is stamped, frozen, and belongs to the store.
   *
   * Returns undefined when what is stored is no longer what the writer has seen.
   */
  write({ groupResource, key, current }: StoreWrite, object: ApiObject): ApiObject | undefined {
    const table = this.table(groupResource);
    if (table.get(key) !== current) {
      return undefined;
    }
    this.#revision += 1;
    object.metadata.resourceVersion = String(this.#revision);
    this.#apply(table, {
      kind: current === undefined ? "added" : "modified",
      groupResource,
      revision: this.#revision,
      key,
      object: deepFreeze(object),
      previous: current,
    });
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
    this.#apply(table, { kind: "deleted", groupResource, revision: this.#revision, key, object, previous: current });
    return object;
  }

  /** Forgets all changes up to now. */
  compact(): void {
    for (const { table } of this.#tables.values()) {
      table.compact(this.#revision);
    }
  }

  snapshot(): StoreSnapshot {
    const tables = new Map<string, { groupResource: GroupResource; contents: TableContents }>();
    for (const [name, { groupResource, table }] of this.#tables) {
      const { objects, keys } = table.current();
      tables.set(name, { groupResource, contents: { objects: new Map(objects), keys: [...keys] } });
    }
    return { tables };
  }

  /** Returns to a snapshot; revisions go on growing, and no watch can go on from before. */
  restore(snapshot: StoreSnapshot): void {
    this.#revision += 1;
    for (const { groupResource } of snapshot.tables.values()) {
      this.table(groupResource);
    }
    for (const [name, { table }] of this.#tables) {
      table.load(snapshot.tables.get(name)?.contents ?? { objects: new Map(), keys: [] }, this.#revision);
    }
  }

  #apply(table: Table, event: StoreEvent): void {
    table.apply(event);
    for (const listener of this.#listeners) {
      listener(event);
    }
  }
}

/** Returns the range of the keys of a namespace, or of all without one. */
export function keyRange(keys: readonly string[], namespace: string | undefined): { start: number; end: number } {
  if (namespace === undefined || namespace === "") {
    return { start: 0, end: keys.length };
  }
  // "0" is the character after "/".
  return { start: lowerBound(keys, `${namespace}/`), end: lowerBound(keys, `${namespace}0`) };
}

function withResourceVersion(object: ApiObject, revision: number): ApiObject {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}

/** The contents of a table at one moment. */
export interface TableContents {
  readonly objects: ReadonlyMap<string, ApiObject>;
  /** The keys in order. */
  readonly keys: readonly string[];
}

/** Holds the objects of one resource in order of their keys, and the last changes to them. */
class Table {
  #objects = new Map<string, ApiObject>();
  #keys: string[] = [];
  #events: StoreEvent[] = [];
  #compactedAt: number;
  readonly #historyLimit: number;
  readonly listeners: Set<(event: StoreEvent) => void> = new Set();

  constructor(revision: number, historyLimit: number) {
    this.#compactedAt = revision;
    this.#historyLimit = historyLimit;
  }

  /** The revision up to which changes are forgotten. */
  get compactedAt(): number {
    return this.#compactedAt;
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
    return low === this.#events.length ? [] : this.#events.slice(low);
  }

  /** Applies a change and tells the listeners. */
  apply(event: StoreEvent): void {
    if (event.kind === "deleted") {
      this.#objects.delete(event.key);
      this.#keys.splice(lowerBound(this.#keys, event.key), 1);
    } else {
      this.#objects.set(event.key, event.object);
      if (event.kind === "added") {
        insertKey(this.#keys, event.key);
      }
    }
    this.#remember(event);
    for (const listener of this.listeners) {
      listener(event);
    }
  }

  /** Forgets the changes up to a revision. */
  compact(revision: number): void {
    this.#events = [...this.since(revision)];
    this.#compactedAt = Math.max(this.#compactedAt, revision);
  }

  /** Replaces the contents as of a revision; all changes are forgotten. */
  load(contents: TableContents, revision: number): void {
    this.#objects = new Map(contents.objects);
    this.#keys = [...contents.keys];
    this.#events = [];
    this.#compactedAt = revision;
  }

  #remember(event: StoreEvent): void {
    this.#events.push(event);
    // Trimmed by halves, so that a write does not move the whole history.
    if (this.#events.length > 2 * this.#historyLimit) {
      const dropped = this.#events.length - this.#historyLimit;
      this.#compactedAt = (this.#events[dropped - 1] as StoreEvent).revision;
      this.#events = this.#events.slice(dropped);
    }
  }
}

/** Returns the index of the first key that is not less than the given one. */
export function lowerBound(keys: readonly string[], key: string): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as string) < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

function insertKey(keys: string[], key: string): void {
  const last = keys.at(-1);
  if (last === undefined || last < key) {
    keys.push(key);
  } else {
    keys.splice(lowerBound(keys, key), 0, key);
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

/** Returns the key under which an object is stored: `namespace/name`, or the name alone without a namespace. */
export function keyOf(key: { readonly namespace: string; readonly name: string }): string {
  return key.namespace === "" ? key.name : `${key.namespace}/${key.name}`;
}

/** Splits what {@link keyOf} returned. */
export function splitKey(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf("/");
  return slash < 0 ? { namespace: "", name: key } : { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/** Returns the name of the table of a resource, `resource.group`. */
function tableName(groupResource: GroupResource): string {
  return `${groupResource.resource}.${groupResource.group}`;
}
