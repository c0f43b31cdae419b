import type { GroupResource } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { keyOf, tableName } from "./object-key.ts";
import type { ObjectReader, StoreEvent } from "./object-reader.ts";
import { Table, lowerBound, type TableContents } from "./table.ts";

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
