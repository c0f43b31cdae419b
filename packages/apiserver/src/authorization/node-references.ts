import type { Container, PersistentVolume, Pod, Volume } from "@kubescaffold/k8s/core/v1";

/** What a Pod refers to in its own namespace. */
export type ReferencedKind = "secrets" | "configmaps" | "persistentvolumeclaims" | "resourceclaims" | "serviceaccounts";

/** Reports whether a Pod refers to an object in its namespace. Mirror Pods refer to nothing: kubelets create them, and must not gain rights by it. */
export function refersTo(pod: Pod, kind: ReferencedKind, name: string): boolean {
  if (name === "" || MIRROR in (pod.metadata.annotations ?? {})) return false;
  switch (kind) {
    case "secrets":
      return secretNames(pod).includes(name);
    case "configmaps":
      return configMapNames(pod).includes(name);
    case "persistentvolumeclaims":
      return claimNames(pod).includes(name);
    case "resourceclaims":
      return resourceClaimNames(pod).includes(name);
    case "serviceaccounts":
      return pod.spec?.serviceAccountName === name;
  }
}

const MIRROR = "kubernetes.io/config.mirror";

function secretNames({ spec }: Pod): readonly (string | undefined)[] {
  return [
    ...(spec?.imagePullSecrets ?? []).map(({ name }) => name),
    ...containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ secretRef }) => secretRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap((volume) => secretsOfVolume(volume)),
  ];
}

function secretsOfVolume(volume: Volume): readonly (string | undefined)[] {
  return [
    volume.azureFile?.secretName,
    volume.cephfs?.secretRef?.name,
    volume.cinder?.secretRef?.name,
    volume.flexVolume?.secretRef?.name,
    ...(volume.projected?.sources ?? []).map(({ secret }) => secret?.name),
    volume.rbd?.secretRef?.name,
    volume.secret?.secretName,
    volume.scaleIO?.secretRef.name,
    volume.iscsi?.secretRef?.name,
    volume.storageos?.secretRef?.name,
    volume.csi?.nodePublishSecretRef?.name,
  ];
}

function configMapNames({ spec }: Pod): readonly (string | undefined)[] {
  return [
    ...containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ configMapRef }) => configMapRef?.name),
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef?.name),
    ]),
    ...(spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap?.name,
      ...(projected?.sources ?? []).map((source) => source.configMap?.name),
    ]),
  ];
}

function containersOf(spec: Pod["spec"]): readonly Pick<Container, "env" | "envFrom">[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

// The claim of an ephemeral volume is named after its Pod.
function claimNames({ metadata, spec }: Pod): readonly (string | undefined)[] {
  return (spec?.volumes ?? []).map(({ name, persistentVolumeClaim, ephemeral }) =>
    ephemeral === undefined ? persistentVolumeClaim?.claimName : `${metadata.name ?? ""}-${name}`,
  );
}

function resourceClaimNames({ spec, status }: Pod): readonly (string | undefined)[] {
  const generated = status?.resourceClaimStatuses ?? [];
  return [
    ...(spec?.resourceClaims ?? []).map(
      (claim) => claim.resourceClaimName ?? generated.find(({ name }) => name === claim.name)?.resourceClaimName,
    ),
    status?.extendedResourceClaimStatus?.resourceClaimName,
  ];
}

/** Reports whether a volume refers to a Secret that kubelets need, by its namespace and name. */
export function volumeRefersTo({ spec }: PersistentVolume, namespace: string, name: string): boolean {
  const own = spec?.claimRef?.namespace ?? "";
  const { azureFile, cephfs, cinder, flexVolume, rbd, scaleIO, iscsi, storageos, csi } = spec ?? {};
  const references = [
    azureFile && { namespace: azureFile.secretNamespace || own, name: azureFile.secretName },
    ...[cephfs, flexVolume, rbd, scaleIO, iscsi].map(
      (source) => source?.secretRef && { name: source.secretRef.name, namespace: source.secretRef.namespace || own },
    ),
    cinder?.secretRef,
    storageos?.secretRef,
    csi?.nodePublishSecretRef,
    csi?.nodeStageSecretRef,
    csi?.nodeExpandSecretRef,
  ];
  return name !== "" && references.some((reference) => reference?.name === name && reference.namespace === namespace);
}
