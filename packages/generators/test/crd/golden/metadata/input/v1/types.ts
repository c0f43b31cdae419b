// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:metadata:annotations="a.example.com/one=1";"b=x=y",labels={"team=blue","empty="}
// +kubebuilder:metadata:annotations="a.example.com/one=2"
// +kubebuilder:storageversion
export interface Widget extends KubernetesObject {}
