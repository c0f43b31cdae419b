// +groupName=another.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Ingress extends KubernetesObject {
  spec?: string;
}
