// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Inner is described
 * on two lines.
 */
export interface Inner {
  x: string;
}

/** Name is a name. */
export type Name = string;

/** Names are names. */
export type Names = Name[];

export interface WidgetSpec {
  inner: Inner;
  /** The field wins. */
  other: Inner;
  name: Name;
  names: Names;
  list: Inner[];
  /** The list of names. */
  nameList: Name[];
  table: Record<string, Inner>;
}

/** Widget is the kind. */
export interface Widget extends KubernetesObject {
  /** spec is the wish. */
  spec: WidgetSpec;
}
