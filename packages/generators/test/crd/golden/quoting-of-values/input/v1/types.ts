// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  // +kubebuilder:validation:Enum="a,b";"c;d";`e"f`;g h
  enum: string;
  // +kubebuilder:validation:Pattern=`^"\d+"$`
  raw: string;
  // +kubebuilder:validation:Pattern="^\"\\d+\"$"
  escaped: string;
  // +kubebuilder:validation:Pattern=^[a-z]+$
  bare: string;
  // +kubebuilder:validation:Format="date-time"
  format: string;
  // +kubebuilder:example='single'
  single: string;
  // +kubebuilder:title=`back ticks`
  title: string;
  // +kubebuilder:validation:XValidation:rule="self != \"a\"",message=`say "b", not 'a'`
  rule: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
