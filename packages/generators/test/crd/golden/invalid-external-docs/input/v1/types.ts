// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:externalDocs:url=foo
  a: string;
  // +kubebuilder:externalDocs:url=""
  b: string;
  // +kubebuilder:externalDocs:description="no url"
  c: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
