import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** HealthCheckPolicySpec defines the desired state of HealthCheckPolicy. */
export interface HealthCheckPolicySpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** HealthCheckPolicyStatus defines the observed state of HealthCheckPolicy. */
export interface HealthCheckPolicyStatus {
  /**
   * conditions describe the state of the HealthCheckPolicy. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * HealthCheckPolicy is the schema of the healthcheckpolicies API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 */
export interface HealthCheckPolicy extends NamespacedObject {
  /** spec defines the desired state of HealthCheckPolicy. */
  spec: HealthCheckPolicySpec;

  /** status defines the observed state of HealthCheckPolicy. */
  status?: HealthCheckPolicyStatus;
}

export const HealthCheckPolicy: Kind<HealthCheckPolicy> = defineKind<HealthCheckPolicy>(
  GroupVersion,
  "HealthCheckPolicy",
);
