// +kubebuilder:validation:Format=hostname
export type Host = string;

/** Address narrows what it is made of. */
// +kubebuilder:validation:Format=uri
export type Address = Host;
