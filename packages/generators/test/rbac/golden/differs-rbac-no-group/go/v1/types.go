package v1

// +kubebuilder:rbac:groups="",resources=pods,verbs=get
// +kubebuilder:rbac:resources=pods,verbs=list
