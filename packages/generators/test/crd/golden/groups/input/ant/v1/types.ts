// +groupName=ant.example.com
import type { KubernetesObject, ListMeta, TypeMeta } from "@kubescaffold/k8s/meta/v1";

export interface Widget extends KubernetesObject {}

export interface WidgetList extends TypeMeta {
  metadata?: ListMeta;
  items: Widget[];
}
