// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Entry {
  name: string;
}

// +listType=map
// +listMapKey=name
export type Entries = Entry[];

// +listType=atomic
export type Words = string[];

// +mapType=atomic
export type Table = Record<string, string>;

// +structType=atomic
export interface Block {
  x?: string;
}

// +mapType=granular
export interface Open {
  x?: string;
}

export interface WidgetSpec {
  entries: Entries;
  words: Words;
  // +listType=set
  fieldWins: Words;
  table: Table;
  // +mapType=granular
  tableAgain: Table;
  block: Block;
  // +structType=granular
  blockAgain: Block;
  open: Open;
  lists: Words[];
  tables: Record<string, Table>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
