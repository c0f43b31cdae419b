import type { ApiObject } from "./api-object.ts";
import type { StoreEvent } from "./object-reader.ts";

/** The contents of a table at one moment. */
export interface TableContents {
  readonly objects: ReadonlyMap<string, ApiObject>;
  /** The keys in order. */
  readonly keys: readonly string[];
}

/** Holds the objects of one resource in order of their keys, and the last changes to them. */
export class Table {
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
