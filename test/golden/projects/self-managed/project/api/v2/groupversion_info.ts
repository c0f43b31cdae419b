// Package v2 contains the v2 API of the group reef.example.com.
// +kubebuilder:object:generate=true
// +groupName=reef.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "reef.example.com", version: "v2" };
