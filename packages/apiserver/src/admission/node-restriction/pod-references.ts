import type { Pod, Volume } from "@kubescaffold/k8s/core/v1";

import { configMapReferences, secretReferences } from "../../resources/pod-references.ts";

/** Returns which objects of the API a Pod references, as messages name them; undefined if there are none. */
export function referencedObjects(pod: Pod): string | undefined {
  const { serviceAccountName = "", volumes = [], resourceClaims = [] } = pod.spec ?? {};
  if (serviceAccountName !== "") return "serviceaccounts";
  if (secretReferences(pod).length > 0) return "secrets";
  if (configMapReferences(pod).length > 0) return "configmaps";
  if (resourceClaims.length > 0) return "resourceclaims";
  return volumes.map((volume) => volumeReference(volume)).find((each) => each !== undefined);
}

type Projection = NonNullable<Volume["projected"]>;

function hasSource(projected: Projection | undefined, name: keyof NonNullable<Projection["sources"]>[number]): boolean {
  return (projected?.sources ?? []).some((source) => source[name] !== undefined);
}

function volumeReference({ csi, glusterfs, persistentVolumeClaim, ephemeral, projected }: Volume): string | undefined {
  if (csi !== undefined) return "csidrivers (via CSI volumes)";
  if (glusterfs !== undefined) return "endpoints (via glusterFS volumes)";
  if (persistentVolumeClaim !== undefined) return "persistentvolumeclaims";
  if (ephemeral !== undefined) return "persistentvolumeclaims (via ephemeral volumes)";
  if (hasSource(projected, "serviceAccountToken")) return "serviceaccounts (via projected volumes)";
  if (hasSource(projected, "clusterTrustBundle")) return "clustertrustbundles";
  return hasSource(projected, "podCertificate") ? "podcertificates" : undefined;
}
