// +groupName=golden.example.com
import type { KubernetesObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";

export interface Template {
  /** The metadata of what is made. */
  metadata?: ObjectMeta;
}

export interface Widget extends KubernetesObject {
  template?: Template;
}
