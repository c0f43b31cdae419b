package v1

// +kubebuilder:rbac:groups=apps , resources=deployments,verbs=get
