// +kubebuilder:object:generate=true
// +groupName=fleet.example.com
export {};
// +kubescaffold:conversion:kind=Ship,hub=v1
