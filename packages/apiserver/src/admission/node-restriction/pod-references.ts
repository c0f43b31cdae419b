import type { Pod, Volume } from "@kubescaffold/k8s/core/v1";

/** Returns which objects of the API a Pod references, as messages name them; undefined if there are none. */
export function referencedObjects({ spec = { containers: [] } }: Pod): string | undefined {
  const { serviceAccountName = "", imagePullSecrets = [], volumes = [], resourceClaims = [] } = spec;
  if (serviceAccountName !== "") return "serviceaccounts";
  const containers = [...(spec.initContainers ?? []), ...spec.containers, ...(spec.ephemeralContainers ?? [])];
  const variables = containers.flatMap(({ env = [] }) => env.map(({ valueFrom }) => valueFrom));
  const sources = containers.flatMap(({ envFrom = [] }) => envFrom);
  const hasSecrets =
    imagePullSecrets.length > 0 ||
    variables.some((each) => each?.secretKeyRef !== undefined) ||
    sources.some((each) => each.secretRef !== undefined) ||
    volumes.some((volume) => usesSecret(volume));
  if (hasSecrets) return "secrets";
  const hasConfigMaps =
    variables.some((each) => each?.configMapKeyRef !== undefined) ||
    sources.some((each) => each.configMapRef !== undefined) ||
    volumes.some(({ configMap, projected }) => configMap !== undefined || hasSource(projected, "configMap"));
  if (hasConfigMaps) return "configmaps";
  if (resourceClaims.length > 0) return "resourceclaims";
  return volumes.map((volume) => volumeReference(volume)).find((each) => each !== undefined);
}

type Projection = NonNullable<Volume["projected"]>;

function hasSource(projected: Projection | undefined, name: keyof NonNullable<Projection["sources"]>[number]): boolean {
  return (projected?.sources ?? []).some((source) => source[name] !== undefined);
}

const WITH_SECRET_REF = ["cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"] as const;

function usesSecret(volume: Volume): boolean {
  return (
    volume.secret !== undefined ||
    volume.azureFile !== undefined ||
    volume.csi?.nodePublishSecretRef !== undefined ||
    hasSource(volume.projected, "secret") ||
    WITH_SECRET_REF.some((name) => volume[name]?.secretRef !== undefined)
  );
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
