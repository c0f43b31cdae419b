// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetSpec {
  size: int32;
}

// +kubebuilder:printcolumn:name=Zulu,type=string,JSONPath=.spec.z
// +kubebuilder:printcolumn:name="Alpha \"a\"",type=date,JSONPath=`.metadata.creationTimestamp`
// +kubebuilder:printcolumn:JSONPath=.spec.size,type=integer,format=int32,name=Size,priority=0,description="How large, in \\ units"
// +kubebuilder:printcolumn:name=Wide,type=boolean,JSONPath=.status.conditions[?(@.type=="Ready")].status,priority=10
// +kubebuilder:printcolumn:name=Negative,type=number,JSONPath=.spec.size,priority=-1
export interface Widget extends KubernetesObject {
  spec: WidgetSpec;
}
