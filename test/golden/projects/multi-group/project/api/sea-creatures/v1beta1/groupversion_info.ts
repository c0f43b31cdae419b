// Package v1beta1 contains the v1beta1 API of the group sea-creatures.example.com.
// +kubebuilder:object:generate=true
// +groupName=sea-creatures.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "sea-creatures.example.com", version: "v1beta1" };
