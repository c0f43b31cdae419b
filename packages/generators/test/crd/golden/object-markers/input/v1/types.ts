// +groupName=golden.example.com
import type { int32 } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

export interface WidgetStatus {
  replicas?: int32;
  selector?: string;
}

/**
 * Widget has all markers of a kind.
 * +kubebuilder:object:root=true
 * +kubebuilder:resource:path=wigs,shortName=wi;wig,categories={all,demo},singular=wig,scope=Cluster
 * +kubebuilder:subresource:status
 * +kubebuilder:subresource:scale:specpath=.spec.replicas,statuspath=.status.replicas,selectorpath=.status.selector
 * +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=`.spec.replicas`,description="How many, wanted",format=int32,priority=1
 * +kubebuilder:printcolumn:name=Age,type=date,JSONPath=.metadata.creationTimestamp
 * +kubebuilder:selectablefield:JSONPath=`.spec.name`
 * +kubebuilder:metadata:annotations="example.com/a=1",annotations="b=x=y",labels="team=one"
 * +kubebuilder:metadata:annotations="another=2"
 */
export interface Widget extends KubernetesObject {
  spec: { replicas?: int32; name?: string };
  status?: WidgetStatus;
}
