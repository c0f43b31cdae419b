import type { PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";

import { controllerOf } from "../workload/workload-objects.ts";

/** Returns why the claim of an ephemeral volume is not that of its Pod, as all components of Kubernetes report it; undefined if it is. */
export function foreignClaim(claim: PersistentVolumeClaim, pod: Pod): string | undefined {
  if (controllerOf(claim)?.uid === pod.metadata.uid) return undefined;
  const { namespace = "", name = "" } = pod.metadata;
  return `PVC ${namespace}/${claim.metadata.name ?? ""} was not created for pod ${namespace}/${name} (pod is not owner)`;
}
