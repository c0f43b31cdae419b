// +kubebuilder:validation:Optional

/** Shared is shared. */
export interface Shared {
  x: string;
  // +required
  y: string;
}

/** Name has a pattern. */
// +kubebuilder:validation:Pattern="^x"
export type Name = string;

export interface Inherited {
  z: Name;
}
