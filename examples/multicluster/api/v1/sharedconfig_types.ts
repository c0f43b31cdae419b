import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { NamespacedObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.

/** SharedConfigSpec defines the desired state of SharedConfig. */
export interface SharedConfigSpec {
  /**
   * data is the data of the ConfigMap in each cluster.
   * +optional
   */
  data?: Record<string, string>;
}

/**
 * CopyState is the state of the copy in one cluster.
 * +kubebuilder:validation:Enum=Synced;Taken
 */
export type CopyState = "Synced" | "Taken";

/** SharedConfigStatus defines the observed state of SharedConfig. */
export interface SharedConfigStatus {
  /**
   * clusters is the state of the copy in each cluster: "Taken" if the cluster has another ConfigMap of that name.
   * +optional
   */
  clusters?: Record<string, CopyState>;
}

/**
 * SharedConfig is copied to a ConfigMap of the same namespace and name in each cluster.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:printcolumn:name="Clusters",type=string,JSONPath=".status.clusters"
 */
export interface SharedConfig extends NamespacedObject {
  /** spec defines the desired state of SharedConfig. */
  spec: SharedConfigSpec;

  /** status defines the observed state of SharedConfig. */
  status?: SharedConfigStatus;
}

export const SharedConfig: Kind<SharedConfig> = defineKind<SharedConfig>(GroupVersion, "SharedConfig");
