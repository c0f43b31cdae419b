// +groupName=golden.example.com
import type { Bytes, int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:validation:MinLength=1
export interface WidgetSpec {
  // +kubebuilder:validation:Minimum=1
  text: string;
  // +kubebuilder:validation:MaxLength=1
  number: int32;
  // +kubebuilder:validation:Minimum=1.5
  whole: int32;
  // +kubebuilder:validation:MinItems=1
  object: Record<string, string>;
  // +kubebuilder:validation:MinProperties=1
  list: string[];
  // +kubebuilder:validation:items:MinLength=1
  noItems: string;
  // +kubebuilder:validation:items:MinLength=1
  numbers: int32[];
  // +listType=bag
  bag: string[];
  // +listMapKey=name
  keys: { name: string }[];
  // +mapType=atomic
  map: string;
  // +structType=loose
  struct: { a: string };
  // +kubebuilder:validation:XValidation:rule="true",reason=Because
  reason: string;
  // +kubebuilder:title=5
  title: string;
  // +kubebuilder:externalDocs:url=foo
  docs: string;
  // +listType=set
  bytes: Bytes;
}

// +kubebuilder:metadata:annotations="novalue",labels="alsonone"
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
