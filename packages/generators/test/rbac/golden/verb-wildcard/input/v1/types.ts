// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=*
// +kubebuilder:rbac:groups=apps,resources=daemonsets,verbs="*";get
// +kubebuilder:rbac:groups=batch,resources=*,verbs=list
// +kubebuilder:rbac:groups=batch,resources=jobs,verbs=get
export {};
