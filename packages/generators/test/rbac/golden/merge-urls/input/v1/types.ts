// +kubebuilder:rbac:urls=/metrics,verbs=get
// +kubebuilder:rbac:urls=/healthz,verbs=get
// +kubebuilder:rbac:urls=/metrics,verbs=post
// +kubebuilder:rbac:urls="/x/*";/y,verbs=get
export {};
