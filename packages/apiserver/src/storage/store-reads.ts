import type { GroupResource } from "@kubescaffold/k8s";

import type { ApiObject } from "./api-object.ts";
import type { StoreEvent } from "./object-reader.ts";

/** The contents of a table at one moment. */
export interface TableContents {
  readonly objects: ReadonlyMap<string, ApiObject>;
  /** The keys in order. */
  readonly keys: readonly string[];
}

/** Reads the objects of one resource, and the last changes to them. */
export interface TableReads {
  /** The revision from which watches can continue. */
  readonly watchesFrom: number;
  get(key: string): ApiObject | undefined;
  /** The contents now; they change with the next write. */
  current(): TableContents;
  /** The contents at a revision, or undefined when the changes since then are forgotten. */
  at(revision: number): TableContents | undefined;
  /** The changes after a revision that is not forgotten, oldest first. */
  since(revision: number): readonly StoreEvent[];
}

/** The source of gets, lists, and watches: the store itself, or a view of it at an earlier revision. */
export interface StoreReads {
  readonly revision: number;
  /** The revision from which lists can be read. */
  readonly listsFrom: number;
  table(groupResource: GroupResource): TableReads;
  /** Calls back for each change from now on. */
  observe(groupResource: GroupResource, listener: (event: StoreEvent) => void): () => void;
}
