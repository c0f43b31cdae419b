// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:externalDocs:url="https://example.com/types",description="The type"
export interface Inner {
  x?: string;
}

// +kubebuilder:externalDocs:url=/docs/spec
export interface WidgetSpec {
  fromType: Inner;
  // +kubebuilder:externalDocs:url=https://example.com/field
  fromField: Inner;
  // +kubebuilder:externalDocs:url="ftp://example.com/x",description=
  scalar: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
