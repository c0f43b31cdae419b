// +kubebuilder:rbac:groups=core,resources=pods,verbs=get

// +kubebuilder:rbac:groups="",resources=nodes,verbs=get

// +kubebuilder:rbac:groups=,resources=events,verbs=create;patch

// +kubebuilder:rbac:groups=apps;core,resources=things,verbs=get
export {};
