// +kubebuilder:validation:Optional

export interface Shared {
  a: string;
  // +required
  b: string;
}
