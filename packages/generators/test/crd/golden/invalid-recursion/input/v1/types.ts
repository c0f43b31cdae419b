// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Tree {
  name: string;
  children: Tree[];
}

export interface Left {
  right?: Right;
}

export interface Right {
  left?: Left;
}

export interface Endless<T> {
  next?: Endless<T[]>;
}

export interface Widget extends KubernetesObject {
  tree: Tree;
  left: Left;
  endless: Endless<string>;
}
