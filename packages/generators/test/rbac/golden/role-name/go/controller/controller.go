// +kubebuilder:rbac:groups={apps,"batch"},resources={deployments,jobs},verbs={get}
// +kubebuilder:rbac:verbs=get,resources=nodes,groups=
package controller

const nothing = 1
