import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change, run `npm run manifests` and `npm run generate` to regenerate the CRD and the schemas.
//
// Server-side apply sends only the fields that a field manager owns. `npm run generate` generates the function:
//
//   import { destroyerApply } from "./zz_generated.apply.ts";
//   const mine = destroyerApply(name, { status: { conditions: [] } });
//   await client.status().apply(mine, { fieldOwner: "destroyer-controller", forceOwnership: true });

/** DestroyerSpec defines the desired state of Destroyer. */
export interface DestroyerSpec {
  /** foo is an example: replace it with the fields of your API. */
  foo?: string;
}

/** DestroyerStatus defines the observed state of Destroyer. */
export interface DestroyerStatus {
  /**
   * conditions describe the state of the Destroyer. Common types are "Available", "Progressing", and "Degraded"; the status is True, False, or Unknown.
   * +listType=map
   * +listMapKey=type
   */
  conditions?: Condition[];
}

/**
 * Destroyer is the schema of the destroyers API.
 * +kubebuilder:object:root=true
 * +kubebuilder:subresource:status
 * +kubebuilder:ac:generate=true
 * +kubebuilder:resource:scope=Cluster
 */
export interface Destroyer extends KubernetesObject {
  /** spec defines the desired state of Destroyer. */
  spec: DestroyerSpec;

  /** status defines the observed state of Destroyer. */
  status?: DestroyerStatus;
}

export const Destroyer: Kind<Destroyer> = defineKind<Destroyer>(GroupVersion, "Destroyer");
