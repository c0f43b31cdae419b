// +groupName=golden.example.com
import type { IntOrString, Quantity } from "@kubescaffold/k8s";
import type { KubernetesObject, Time } from "@kubescaffold/k8s/meta/v1";

export interface Inner {
  x?: string;
}

export interface WidgetSpec {
  // +kubebuilder:default={}
  // +kubebuilder:validation:XValidation:rule="has(self.x)"
  // +nullable
  inner?: Inner;
  // +kubebuilder:validation:XEmbeddedResource
  // +kubebuilder:pruning:PreserveUnknownFields
  embedded?: Inner;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="^1"
  quantity?: Quantity;
  // +kubebuilder:validation:Format=date
  time?: Time;
  // +kubebuilder:default="1Gi"
  size?: Quantity;
  // +kubebuilder:default=80
  port?: IntOrString;
  // +kubebuilder:validation:Enum=http;80
  // +kubebuilder:validation:XIntOrString
  choice?: IntOrString;
  ports?: IntOrString[];
  // +kubebuilder:validation:items:XIntOrString
  // +kubebuilder:validation:items:MaxLength=5
  limited?: IntOrString[];
  byName?: Record<string, Inner>;
  // +kubebuilder:validation:Type=object
  typed?: Inner;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
