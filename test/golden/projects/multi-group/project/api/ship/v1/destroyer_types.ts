import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { Condition, KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import { GroupVersion } from "./groupversion_info.ts";

// After a change here run `npm run manifests` and `npm run generate`, which write the CRD and the schemas for tests.
//
// What one owner states of a Destroyer it applies, and leaves all else to others; `npm run generate` makes the function:
//
//   import { destroyerApply } from "./zz_generated.apply.ts";
//   const mine = destroyerApply(name, { status: { conditions: [] } });
//   await client.status().apply(mine, { fieldOwner: "destroyer-controller", forceOwnership: true });

/** DestroyerSpec defines the desired state of Destroyer. */
export interface DestroyerSpec {
  /** foo is an example: replace it by the fields of your API. */
  foo?: string;
}

/** DestroyerStatus defines the observed state of Destroyer. */
export interface DestroyerStatus {
  /**
   * conditions say in which state the Destroyer is: usual types are "Available", "Progressing" and "Degraded", each True, False or Unknown.
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
