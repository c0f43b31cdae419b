// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";

export interface Template {
  /** The metadata. */
  metadata?: ObjectMeta;
  size: int32;
}

export interface WidgetSpec {
  template: Template;
  list: Template[];
  meta: ObjectMeta;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
