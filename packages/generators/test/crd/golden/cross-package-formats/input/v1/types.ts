// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Address } from "../lib/formats.ts";

// +kubebuilder:validation:Format=hostname
export type Near = string;

// +kubebuilder:validation:Format=uri
export type Nearer = Near;

export interface WidgetSpec {
  elsewhere: Address;
  // +kubebuilder:validation:Format=email
  narrowed: Address;
  here: Nearer;
  // +kubebuilder:validation:Format=email
  hereNarrowed: Nearer;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
