// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Entry {
  name: string;
  zone: string;
  // +optional
  value: string;
}

/** +structType=atomic */
export interface Whole {
  x?: string;
}

// +mapType=atomic
export type Labels = Record<string, string>;

// +listType=set
export type Names = string[];

export interface WidgetSpec {
  // +listType=map
  // +listMapKey=name
  // +listMapKey=zone
  entries?: Entry[];
  // +listType=set
  set?: string[];
  // +listType=atomic
  atomic?: string[];
  // +k8s:listType=map
  // +k8s:listMapKey=name
  other?: Entry[];
  // +mapType=granular
  labels?: Record<string, string>;
  typed?: Labels;
  // +mapType=granular
  overridden?: Labels;
  names?: Names;
  // +listType=atomic
  namesAgain?: Names;
  // +structType=granular
  entry?: Entry;
  whole?: Whole;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
