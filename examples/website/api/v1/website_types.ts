import { defineKind, type int32, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** WebsiteSpec defines the desired state of Website. */
export interface WebsiteSpec {
  /**
   * pages are the files of the website by their names.
   * +kubebuilder:validation:MinProperties=1
   * +kubebuilder:validation:MaxProperties=100
   */
  pages: Record<string, string>;

  /**
   * replicas is the number of Pods that serve the website.
   * +kubebuilder:validation:Minimum=0
   * +kubebuilder:validation:Maximum=10
   * +kubebuilder:default=1
   */
  replicas?: int32;

  /**
   * host is the host name of the website. Without it, the website is reachable only in the cluster.
   * +kubebuilder:validation:MinLength=1
   * +kubebuilder:validation:MaxLength=253
   */
  host?: string;
}

/** WebsiteStatus defines the observed state of Website. */
export interface WebsiteStatus {
  /** readyReplicas is the number of Pods that are ready. */
  readyReplicas?: int32;

  /** url is the address of the website outside of the cluster. */
  url?: string;

  /**
   * conditions describe the state of the Website: "Ready" is True if all of its objects are ready.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Website is the schema of the websites API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Ready",type=string,JSONPath=".status.conditions[?(@.type=='Ready')].status"
 * +kubebuilder:printcolumn:name="Replicas",type=integer,JSONPath=".status.readyReplicas"
 * +kubebuilder:printcolumn:name="URL",type=string,JSONPath=".status.url"
 * +kubebuilder:printcolumn:name="Age",type=date,JSONPath=".metadata.creationTimestamp"
 */
export interface Website extends NamespacedObject {
  /** spec defines the desired state of Website. */
  spec: WebsiteSpec;

  /** status defines the observed state of Website. */
  status?: WebsiteStatus;
}

export const Website: Kind<Website> = defineKind<Website>(GroupVersion, "Website");
