// +kubebuilder:rbac:groups={apps,"batch"},resources={deployments,jobs},verbs={get}
// +kubebuilder:rbac:verbs=get,resources=nodes,groups=
export const nothing = 1;
