// Package v1 contains the v1 API of the group crew.example.com.
// +kubebuilder:object:generate=true
// +groupName=crew.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "crew.example.com", version: "v1" };
