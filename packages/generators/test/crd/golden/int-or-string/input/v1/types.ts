// +groupName=golden.example.com
import type { IntOrString, Quantity } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  plain: IntOrString;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="^[0-9]+%$"
  percent: IntOrString;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:MaxLength=4
  // +kubebuilder:validation:MinLength=1
  short: IntOrString;
  // +kubebuilder:validation:XIntOrString
  marked: string;
  // +kubebuilder:default="25%"
  defaulted?: IntOrString;
  list: IntOrString[];
  table: Record<string, IntOrString>;
  amount: Quantity;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="Gi$"
  memory: Quantity;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
