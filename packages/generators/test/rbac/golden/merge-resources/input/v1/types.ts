// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;list
// +kubebuilder:rbac:groups=apps,resources=daemonsets,verbs=list;get
// +kubebuilder:rbac:groups=apps,resources=deployments/status,verbs=get;list
// +kubebuilder:rbac:groups=apps,resources=statefulsets,verbs=get
export {};
