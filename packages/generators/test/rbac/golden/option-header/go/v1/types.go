package v1

// +kubebuilder:rbac:groups=a,resources=x,verbs=get
