import type { KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

/**
 * Chosen is used by no kind.
 * +kubebuilder:object:generate=true
 */
export interface Chosen {
  part?: Part;
}

/** Part is used by a type that is chosen, but not chosen itself. */
export interface Part {
  /** +kubebuilder:default=whole */
  size?: string;
}

/**
 * Root is chosen as a kind of a package that is not.
 * +kubebuilder:object:root=true
 */
export interface Root extends KubernetesObject {
  part?: Part;
}

/**
 * Left is a kind that is left out.
 * +kubebuilder:object:root=true
 * +kubebuilder:object:generate=false
 */
export interface Left extends KubernetesObject {
  part?: Part;
}

/** Plain has no marker. */
export interface Plain extends KubernetesObject {
  part?: Part;
}

export type RootList = ListOf<Root>;
