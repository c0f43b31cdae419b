import type { GroupResource } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";
import type { StoreEvent } from "./object-reader.ts";
import type { StoreReads, TableContents, TableReads } from "./store-reads.ts";
import { type Store, type StoreSnapshot, tableName } from "./store.ts";

/** The store at a revision. */
export interface RevisionSnapshot {
  readonly revision: number;
  readonly stored: StoreSnapshot;
}

const EMPTY: TableContents = { objects: new Map(), keys: [] };

/** Shows the resources of a store as of earlier revisions, each until it catches up. */
export class StoreView {
  readonly #store: Store;
  readonly #expire: (resource: ResourceView) => void;
  readonly #resources = new Map<string, ResourceView>();
  // How resources begin that were not read yet.
  #initial: RevisionSnapshot | undefined;

  /** `expire` ends the watches of a resource that cannot catch up, since the changes are forgotten. */
  constructor(store: Store, snapshot: RevisionSnapshot, expire: (resource: ResourceView) => void) {
    this.#store = store;
    this.#initial = snapshot;
    this.#expire = expire;
  }

  /** Returns what is read of a resource. */
  resource(groupResource: GroupResource): ResourceView {
    const name = tableName(groupResource);
    const known = this.#resources.get(name);
    if (known !== undefined) return known;
    const created = new ResourceView(this.#store, groupResource, this.#expire);
    created.move(this.#initial);
    this.#resources.set(name, created);
    return created;
  }

  /** Moves a resource, or all, to a later revision, or to the present. */
  move(groupResource: GroupResource | undefined, to: RevisionSnapshot | undefined): void {
    if (groupResource === undefined) this.#initial = to;
    for (const resource of this.#selected(groupResource)) resource.move(to);
  }

  /** Keeps a resource, or all, as of the present, unless they are of an earlier revision already. */
  hold(groupResource: GroupResource | undefined, present: RevisionSnapshot): void {
    if (groupResource === undefined) this.#initial ??= present;
    for (const resource of this.#selected(groupResource)) if (!resource.isHeld) resource.move(present);
  }

  /** The latest revision that a resource shows, or any. */
  latest(groupResource: GroupResource | undefined): number {
    const initial = this.#initial?.revision ?? this.#store.revision;
    const shown = this.#selected(groupResource).map(({ revision }) => revision);
    return Math.max(...(groupResource === undefined ? [initial] : []), ...shown);
  }

  #selected(groupResource: GroupResource | undefined): readonly ResourceView[] {
    return groupResource === undefined ? [...this.#resources.values()] : [this.resource(groupResource)];
  }
}

interface Held {
  readonly revision: number;
  readonly contents: TableContents;
}

/** Shows one resource at a revision; watches receive the later changes when it moves. */
class ResourceView implements StoreReads, TableReads {
  readonly #store: Store;
  readonly #groupResource: GroupResource;
  readonly #expire: (resource: ResourceView) => void;
  readonly #listeners = new Set<(event: StoreEvent) => void>();
  #held: Held | undefined;

  constructor(store: Store, groupResource: GroupResource, expire: (resource: ResourceView) => void) {
    this.#store = store;
    this.#groupResource = groupResource;
    this.#expire = expire;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  get revision(): number {
    return this.#held?.revision ?? this.#store.revision;
  }

  get listsFrom(): number {
    return this.#store.listsFrom;
  }

  get watchesFrom(): number {
    return this.#table.watchesFrom;
  }

  table(): TableReads {
    return this;
  }

  get(key: string): ApiObject | undefined {
    return this.current().objects.get(key);
  }

  current(): TableContents {
    return this.#held?.contents ?? this.#table.current();
  }

  at(revision: number): TableContents | undefined {
    return revision <= this.revision ? this.#table.at(revision) : undefined;
  }

  since(revision: number): readonly StoreEvent[] {
    const { revision: last } = this;
    return this.#table.since(revision).filter((event) => event.revision <= last);
  }

  observe(_groupResource: GroupResource, listener: (event: StoreEvent) => void): () => void {
    this.#listeners.add(listener);
    const stop = this.#store.observe(this.#groupResource, (event) => {
      if (this.#held === undefined) listener(event);
    });
    return () => {
      this.#listeners.delete(listener);
      stop();
    };
  }

  /** Returns what a watch reads that starts with the present: its later events are as late as the view. */
  fromPresent(): StoreReads {
    return new ReadsFromPresent(this.#store, this);
  }

  /** Whether what a watch reads is from this view. */
  isReadBy(reads: StoreReads): boolean {
    return reads === this || (reads instanceof ReadsFromPresent && reads.view === this);
  }

  /** Moves to a later revision, or to the present, and sends what has changed to the watches. */
  move(to: RevisionSnapshot | undefined): void {
    const from = this.#held;
    this.#held =
      to === undefined ? undefined : { revision: to.revision, contents: contentsOf(to, this.#groupResource) };
    if (from === undefined) return;
    if (from.revision < this.#table.compactedAt) {
      this.#expire(this);
      return;
    }
    const events = this.since(from.revision);
    for (const listener of this.#listeners) events.forEach((event) => listener(event));
  }

  get #table(): TableReads & { readonly compactedAt: number } {
    return this.#store.table(this.#groupResource);
  }
}

/** The store as it is until a watch begins to observe it, and then the events of a view. */
class ReadsFromPresent implements StoreReads {
  readonly #store: Store;
  readonly view: ResourceView;
  #start: number | undefined;

  constructor(store: Store, view: ResourceView) {
    this.#store = store;
    this.view = view;
  }

  get revision(): number {
    return this.#start === undefined ? this.#store.revision : Math.max(this.#start, this.view.revision);
  }

  get listsFrom(): number {
    return this.#store.listsFrom;
  }

  table(groupResource: GroupResource): TableReads {
    return this.#store.table(groupResource);
  }

  observe(groupResource: GroupResource, listener: (event: StoreEvent) => void): () => void {
    const start = this.#store.revision;
    this.#start = start;
    return this.view.observe(groupResource, (event) => {
      if (event.revision > start) listener(event);
    });
  }
}

function contentsOf({ stored }: RevisionSnapshot, groupResource: GroupResource): TableContents {
  return stored.tables.get(tableName(groupResource))?.contents ?? EMPTY;
}
