/*
Copyright <year> Acme.
*/

// Package v3 contains the v3 API of the group crew.example.com.
// +kubebuilder:object:generate=true
// +groupName=crew.example.com
import type { GroupVersion as ApiGroupVersion } from "@kubescaffold/k8s";

/** GroupVersion is the group and version of the kinds in this folder. */
export const GroupVersion: ApiGroupVersion = { group: "crew.example.com", version: "v3" };
