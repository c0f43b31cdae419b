// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface Widget extends KubernetesObject {
  spec: string;
}
