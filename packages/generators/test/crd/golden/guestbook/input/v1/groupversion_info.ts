// Package v1 contains API Schema definitions for the webapp v1 API group.
// +kubebuilder:object:generate=true
// +groupName=webapp.demo

/** The group and version of the package. */
export const GroupVersion = { group: "webapp.demo", version: "v1" };
