// +groupName=cache.example.com
import type { Condition, KubernetesObject, ListOf } from "@kubescaffold/k8s/meta/v1";

// Important: run the generators again after a change of this file.

/** MemcachedSpec defines the desired state of Memcached */
export interface MemcachedSpec {
  // INSERT ADDITIONAL SPEC FIELDS - desired state of cluster
  // The following markers will use OpenAPI v3 schema to validate the value

  /**
   * foo is an example field of Memcached. Edit memcached_types.ts to remove/update
   * +optional
   */
  foo?: string;
}

/** MemcachedStatus defines the observed state of Memcached. */
export interface MemcachedStatus {
  // For Kubernetes API conventions, see the documentation.

  // conditions represent the current state of the Memcached resource.
  // Each condition has a unique type.
  // +listType=map
  // +listMapKey=type
  // +optional
  conditions?: Condition[];
}

// +kubebuilder:object:root=true
// +kubebuilder:subresource:status

/** Memcached is the Schema for the memcacheds API */
export interface Memcached extends KubernetesObject {
  /**
   * spec defines the desired state of Memcached
   * +required
   */
  spec: MemcachedSpec;

  /**
   * status defines the observed state of Memcached
   * +optional
   */
  status?: MemcachedStatus;
}

// +kubebuilder:object:root=true

/** MemcachedList contains a list of Memcached */
export type MemcachedList = ListOf<Memcached>;
