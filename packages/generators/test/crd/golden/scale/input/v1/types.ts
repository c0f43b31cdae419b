// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  replicas: int32;
}

// +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}

// +kubebuilder:subresource:scale:selectorpath=.status.selector,statuspath=.status.replicas,specpath=.spec.replicas
// +kubebuilder:subresource:status
export interface Gadget extends KubernetesObject {
  spec: WidgetSpec;
}
