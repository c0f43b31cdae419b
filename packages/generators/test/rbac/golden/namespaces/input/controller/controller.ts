// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,namespace=zoo,resources=deployments,verbs=get
// +kubebuilder:rbac:groups=apps,namespace=bar,resources=deployments,verbs=list
// +kubebuilder:rbac:groups=apps,namespace=bar,roleName=special,resources=pods,verbs=list
// +kubebuilder:rbac:groups=apps,roleName=another,resources=pods,verbs=list
export const nothing = 1;
