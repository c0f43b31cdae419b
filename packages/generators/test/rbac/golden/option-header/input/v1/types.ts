// +kubebuilder:rbac:groups=a,resources=x,verbs=get
export {};
