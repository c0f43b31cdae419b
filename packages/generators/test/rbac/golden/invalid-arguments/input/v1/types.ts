// +kubebuilder:rbac:groups=a,resources=x

// +kubebuilder:rbac:groups=a,resource=x,verbs=get

// +kubebuilder:rbac:groups=a, b,resources=x,verbs=get

// +kubebuilder:rbac:groups=a,resources=x,verbs=get;list,

// +kubebuilder:rbac
export {};
