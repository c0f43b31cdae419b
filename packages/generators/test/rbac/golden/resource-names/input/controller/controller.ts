// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=one,verbs=get
// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=two,verbs=get
// +kubebuilder:rbac:groups="",resources=secrets;configmaps,resourceNames=one,verbs=get
// +kubebuilder:rbac:groups="",resources=secrets,verbs=list
export function nothing(): void {}
