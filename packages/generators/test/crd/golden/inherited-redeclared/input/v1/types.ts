// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/** Base is the base. */
export interface Base {
  /**
   * a of the base.
   * +kubebuilder:validation:MinLength=2
   * +kubebuilder:default="base"
   */
  a?: string;
  b: string;
  c: Inner;
}

export interface Inner {
  x: string;
}

export interface Spec extends Base {
  /**
   * a of the spec.
   * +kubebuilder:validation:MinLength=3
   * +kubebuilder:default="spec"
   */
  a: string;
  // +optional
  b: string;
  /** c of the spec. */
  c: Other;
}

export interface Other {
  y: string;
}

export interface Widget extends KubernetesObject, Base {
  /**
   * a of the kind.
   * +kubebuilder:validation:MinLength=4
   */
  a?: string;
  spec: Spec;
}
