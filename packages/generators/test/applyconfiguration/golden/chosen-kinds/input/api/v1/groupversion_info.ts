// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
// +versionName=v1
