// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Entries, Entry, Table, Words } from "../shared/types.ts";

export interface WidgetSpec {
  entries: Entries;
  // +listType=map
  // +listMapKey=name
  list: Entry[];
  // +structType=atomic
  entry: Entry;
  // +listType=set
  words: Words;
  // +mapType=atomic
  table: Table;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
