// Package v1beta1 contains the v1beta1 API of the group ship.example.com.
// +kubebuilder:object:generate=true
// +groupName=ship.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "ship.example.com", version: "v1beta1" };
