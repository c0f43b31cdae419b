// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Base is inherited.
 * +kubebuilder:validation:XValidation:rule="has(self.a)",message="base"
 * +kubebuilder:validation:MinProperties=1
 */
export interface Base {
  /** a of the base. */
  // +kubebuilder:validation:MinLength=2
  a: string;
  b?: int32;
}

/** Middle is inherited too. */
export interface Middle extends Base {
  c: string;
}

// +kubebuilder:validation:XValidation:rule="has(self.d)",message="spec"
export interface WidgetSpec extends Middle {
  /** d is its own. */
  d: string;
}

export interface Redeclares extends Base {
  /** a of the derived one. */
  // +kubebuilder:validation:MaxLength=9
  a: string;
}

export type Both = Middle & Extra;

export interface Extra {
  e: string;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
  redeclares?: Redeclares;
  both?: Both;
}
