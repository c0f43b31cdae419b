// +kubebuilder:rbac:urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/healthz;/readyz,verbs=get
// +kubebuilder:rbac:urls="/apis/*",verbs=get;post
// +kubebuilder:rbac:groups=a,resources=b,urls=/both,verbs=get
export const nothing = 1;
