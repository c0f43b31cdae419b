// Package v1 contains the v1 API of the group fiz.example.com.
// +kubebuilder:object:generate=true
// +groupName=fiz.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "fiz.example.com", version: "v1" };
