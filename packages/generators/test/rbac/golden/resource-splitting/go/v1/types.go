package v1

// +kubebuilder:rbac:groups=a;b,resources=x;y;x/status,resourceNames=n;m,verbs=get;update
// +kubebuilder:rbac:groups=a,resources=y,resourceNames=m;n,verbs=delete
// +kubebuilder:rbac:resources=nogroup,verbs=get
// +kubebuilder:rbac:groups=nores,verbs=get
