// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Page<T> {
  items: T[];
  next?: T;
}

export interface Inner {
  x: string;
}

export interface Pair<L extends string = string, R = int32> {
  left: L;
  right: R;
}

export type Maybe<T> = T | undefined;

export type ListOf<T extends Inner | string> = Page<T>[];

export interface WidgetSpec {
  texts: Page<string>;
  inners: Page<Inner>;
  pair: Pair;
  maybe: Maybe<string>;
  nested: ListOf<string>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
