// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Entry {
  name: string;
  port: int32;
}

// +k8s:listType=map
// +k8s:listMapKey=name
export type Entries = Entry[];

export interface WidgetSpec {
  // +k8s:listType=atomic
  atomic: string[];
  // +k8s:listType=set
  set: string[];
  // +k8s:listType=map
  // +k8s:listMapKey=name
  // +k8s:listMapKey=port
  // +k8s:listMapKey=name
  map: Entry[];
  typed: Entries;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
