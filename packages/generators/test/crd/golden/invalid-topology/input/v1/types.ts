// +groupName=golden.example.com
import type { Bytes } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +listType=atomic
  a: string;
  // +listType=bag
  b: string[];
  // +listMapKey=name
  c: string[];
  // +listType=set
  // +listMapKey=name
  d: string[];
  // +mapType=atomic
  e: string[];
  // +mapType=loose
  f: Record<string, string>;
  // +structType=granular
  g: string[];
  // +structType=loose
  h: Record<string, string>;
  // +listType=set
  i: Bytes;
  // +k8s:listType=x
  j: string[];
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
