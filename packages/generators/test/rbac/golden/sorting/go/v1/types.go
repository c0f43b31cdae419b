package v1

// +kubebuilder:rbac:groups=b,resources=z,verbs=get
// +kubebuilder:rbac:groups=a;c,resources=y,verbs=list
// +kubebuilder:rbac:groups=a,resources=x,verbs=watch;list;get;get
// +kubebuilder:rbac:groups=B,resources=X,verbs=delete
// +kubebuilder:rbac:urls=/z,verbs=get
// +kubebuilder:rbac:urls=/a,verbs=post
// +kubebuilder:rbac:groups=core,resources=m,verbs=get
// +kubebuilder:rbac:groups=a,resources=x,resourceNames=n2,verbs=update
// +kubebuilder:rbac:groups=a,resources=x,resourceNames=n1,verbs=patch
// +kubebuilder:rbac:groups=a10,resources=x,verbs=deletecollection
// +kubebuilder:rbac:groups=a2,resources=x,verbs=impersonate
