// +groupName=golden.example.com
// +k8s:deepcopy-gen=package
// +kubebuilder:object:generate=true
// +kubebuilder:ac:generate=true
// +kubebuilder:ac:output:package="apply"
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";


export interface WidgetSpec {
  size: int32;
}

// +kubebuilder:object:root=true
// +kubebuilder:object:generate=false
// +kubebuilder:ac:generate=false
// +k8s:deepcopy-gen=true
// +k8s:deepcopy-gen:interfaces=k8s.io/apimachinery/pkg/runtime.Object
// +genclient
// +genclient:nonNamespaced
// +someone-elses:marker=1
export interface Widget extends KubernetesObject {
  // +union
  // +protobuf=x
  spec: WidgetSpec;
}
