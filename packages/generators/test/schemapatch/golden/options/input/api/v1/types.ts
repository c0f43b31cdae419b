import type { KubernetesObject, ObjectMeta } from "@kubescaffold/k8s/meta/v1";

/** Widget turns. It has a long text, with several sentences. This one is cut. */
export interface Widget extends KubernetesObject {
  /** Template is embedded. It is long enough. */
  template: Embedded;
}

export interface Embedded {
  metadata: ObjectMeta;
}
