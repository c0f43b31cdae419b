// +groupName=
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Rootless extends KubernetesObject {
  spec?: string;
}
