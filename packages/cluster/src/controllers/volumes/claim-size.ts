import { requestedSize } from "@kubescaffold/apiserver/cluster-api";
import { compareQuantities } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";

/** Reports whether a bound claim requests more than its volume has. */
export function wantsExpansion(claim: PersistentVolumeClaim): boolean {
  const { phase, capacity } = claim.status ?? {};
  return phase === "Bound" && compareQuantities(requestedSize(claim), capacity?.["storage"] ?? "0") > 0;
}
