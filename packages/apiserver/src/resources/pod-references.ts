import type { Container, Pod, Volume } from "@kubescaffold/k8s/core/v1";

/** A reference to an object in the namespace of a Pod; empty where it states no name. */
interface Reference {
  readonly name?: string | undefined;
}

/** Returns the references of a Pod to Secrets: for images, variables, and volumes. */
export function secretReferences({ spec }: Pod): readonly Reference[] {
  return [
    ...(spec?.imagePullSecrets ?? []),
    ...present([
      ...containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
        ...envFrom.map(({ secretRef }) => secretRef),
        ...env.map(({ valueFrom }) => valueFrom?.secretKeyRef),
      ]),
      ...(spec?.volumes ?? []).flatMap((volume) => secretsOfVolume(volume)),
    ]),
  ];
}

function secretsOfVolume(volume: Volume): readonly (Reference | undefined)[] {
  const { azureFile, secret, projected, csi } = volume;
  return [
    azureFile && { name: azureFile.secretName },
    secret && { name: secret.secretName },
    csi?.nodePublishSecretRef,
    ...(projected?.sources ?? []).map((source) => source.secret),
    ...WITH_SECRET_REF.map((name) => volume[name]?.secretRef),
  ];
}

const WITH_SECRET_REF = ["cephfs", "cinder", "flexVolume", "iscsi", "rbd", "scaleIO", "storageos"] as const;

/** Returns the references of a Pod to ConfigMaps: for variables and volumes. */
export function configMapReferences({ spec }: Pod): readonly Reference[] {
  return present([
    ...containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
      ...envFrom.map(({ configMapRef }) => configMapRef),
      ...env.map(({ valueFrom }) => valueFrom?.configMapKeyRef),
    ]),
    ...(spec?.volumes ?? []).flatMap(({ configMap, projected }) => [
      configMap,
      ...(projected?.sources ?? []).map((source) => source.configMap),
    ]),
  ]);
}

/** Returns the names of the claims that a Pod uses. */
export function claimNames(pod: Pod): readonly string[] {
  return (pod.spec?.volumes ?? []).flatMap((volume) =>
    volume.ephemeral === undefined ? (volume.persistentVolumeClaim?.claimName ?? []) : ephemeralClaimName(pod, volume),
  );
}

/** Returns the name of the claim of an ephemeral volume. */
export function ephemeralClaimName({ metadata }: Pod, { name }: Volume): string {
  return `${metadata.name ?? ""}-${name}`;
}

function containersOf(spec: Pod["spec"]): readonly Pick<Container, "env" | "envFrom">[] {
  return [...(spec?.initContainers ?? []), ...(spec?.containers ?? []), ...(spec?.ephemeralContainers ?? [])];
}

function present(references: readonly (Reference | undefined)[]): readonly Reference[] {
  return references.filter((reference) => reference !== undefined);
}
