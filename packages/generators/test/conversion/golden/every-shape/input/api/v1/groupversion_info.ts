// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
export {};
