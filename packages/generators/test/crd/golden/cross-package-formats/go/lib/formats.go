package lib

// +kubebuilder:validation:Format=hostname
type Host string

// Address narrows what it is made of.
// +kubebuilder:validation:Format=uri
type Address Host
