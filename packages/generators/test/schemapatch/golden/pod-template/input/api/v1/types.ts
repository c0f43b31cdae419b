import type { PodTemplateSpec } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Widget turns. */
export interface Widget extends KubernetesObject {
  template: PodTemplateSpec;
}
