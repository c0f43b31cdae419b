// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

/**
 * Name is a name.
 * +kubebuilder:validation:MinLength=1
 * +kubebuilder:validation:Pattern="^[a-z]+$"
 */
export type Name = string;

/**
 * LongName is a name of more letters.
 * +kubebuilder:validation:MinLength=10
 */
export type LongName = Name;

// +kubebuilder:validation:Maximum=100
export type Percent = int32;

// +kubebuilder:validation:MaxItems=3
// +kubebuilder:validation:items:MaxLength=5
export type Words = string[];

// +kubebuilder:validation:MinProperties=1
export type Table = Record<string, Name>;

export interface WidgetSpec {
  name: Name;
  /** The text of the field. */
  described: Name;
  // +kubebuilder:validation:Pattern="^[b-y]+$"
  twoPatterns: Name;
  // +kubebuilder:validation:MinLength=1
  sameLength: Name;
  // +kubebuilder:validation:Pattern="^[a-z]+$"
  samePattern: Name;
  long: LongName;
  // +kubebuilder:validation:MaxLength=20
  longAgain: LongName;
  // +kubebuilder:validation:Minimum=1
  percent: Percent;
  // +kubebuilder:validation:MinItems=1
  words: Words;
  table: Table;
  names: Name[];
  // +kubebuilder:validation:items:MaxLength=9
  shortNames: Name[];
  nested: Record<string, Record<string, Name[]>>;
}

export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
