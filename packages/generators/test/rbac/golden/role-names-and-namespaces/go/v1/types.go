package v1

// +kubebuilder:rbac:groups=a,resources=x,verbs=get,roleName=zeta
// +kubebuilder:rbac:groups=a,resources=y,verbs=get,roleName=alpha
// +kubebuilder:rbac:groups=a,resources=x,verbs=get,namespace=beta,roleName=zeta
// +kubebuilder:rbac:groups=a,resources=z,verbs=get,namespace=beta
// +kubebuilder:rbac:groups=a,resources=z,verbs=list,namespace="beta"
// +kubebuilder:rbac:groups=a,resources=w,verbs=list,namespace="",roleName=""
