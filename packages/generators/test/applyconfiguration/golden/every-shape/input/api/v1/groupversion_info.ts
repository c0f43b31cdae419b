// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +groupName=webapp.example.com
import type { GroupVersion as GV } from "@kubescaffold/k8s";
export const GroupVersion: GV = { group: "webapp.example.com", version: "v1" };
