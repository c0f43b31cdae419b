// +groupName=golden.example.com
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

// +kubebuilder:resource:path=wigs
export interface Widget extends KubernetesObject {}

// +kubebuilder:resource:singular=thing,scope=Cluster
export interface Gadget extends KubernetesObject {}

// +kubebuilder:resource
export interface Policy extends KubernetesObject {}

// +kubebuilder:resource:shortName=px;proxy,categories=all;net
// +kubebuilder:resource:path="",scope=""
export interface Proxy extends KubernetesObject {}

// +kubebuilder:resource:scope=Elsewhere
export interface DNSRecordSet extends KubernetesObject {}
