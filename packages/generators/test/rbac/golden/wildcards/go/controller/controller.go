// +kubebuilder:rbac:groups=*,resources=*,verbs=*
// +kubebuilder:rbac:groups=apps,resources=deployments,verbs=get;*;list
// +kubebuilder:rbac:groups=apps,resources=replicasets,verbs=get
package controller

const nothing = 1
