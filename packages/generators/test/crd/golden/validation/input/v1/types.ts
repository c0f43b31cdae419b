// +groupName=golden.example.com
import type { int32, IntOrString, RawExtension } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  /**
   * Bounded number.
   * +kubebuilder:validation:Minimum=-5
   * +kubebuilder:validation:Maximum=1000000
   * +kubebuilder:validation:ExclusiveMinimum=true
   * +kubebuilder:validation:ExclusiveMaximum=false
   * +kubebuilder:validation:MultipleOf=5
   */
  number: int32;
  // +kubebuilder:validation:MinLength=1
  // +kubebuilder:validation:MaxLength=63
  // +kubebuilder:validation:Pattern=`^[a-z]([-a-z0-9]*[a-z0-9])?$`
  // +kubebuilder:validation:Format=hostname
  text: string;
  // +kubebuilder:validation:MinItems=1
  // +kubebuilder:validation:MaxItems:=10
  // +kubebuilder:validation:UniqueItems=false
  // +kubebuilder:validation:items:MinLength=2
  // +kubebuilder:validation:items:Pattern="^\\d+$"
  list: string[];
  // +kubebuilder:validation:MinProperties=1
  // +kubebuilder:validation:MaxProperties=8
  map: Record<string, string>;
  // +kubebuilder:validation:Enum=Allow;Forbid;"Re place";1;true
  policy: string;
  // +kubebuilder:validation:Enum={1,2,3}
  level: int32;
  // +kubebuilder:validation:Type=string
  // +kubebuilder:validation:Schemaless
  free: unknown;
  // +kubebuilder:validation:XIntOrString
  // +kubebuilder:validation:Pattern="^[0-9]+%?$"
  port: IntOrString;
  // +kubebuilder:validation:EmbeddedResource
  // +kubebuilder:validation:XPreserveUnknownFields
  object: RawExtension;
  // +kubebuilder:pruning:PreserveUnknownFields
  // +kubebuilder:validation:Schemaless
  anything?: any;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
