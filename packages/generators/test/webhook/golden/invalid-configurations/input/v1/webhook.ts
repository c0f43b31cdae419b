// +kubebuilder:webhookconfiguration:mutating=true,name=one
// +kubebuilder:webhookconfiguration:mutating=true,name=two
// +kubebuilder:webhookconfiguration:name=three
export const nothing = 1;
