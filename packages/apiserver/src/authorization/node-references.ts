import type { PersistentVolume, Pod } from "@kubescaffold/k8s/core/v1";

import { claimNames, configMapReferences, secretReferences } from "../resources/pod-references.ts";

/** What a Pod refers to in its own namespace. */
export type ReferencedKind = "secrets" | "configmaps" | "persistentvolumeclaims" | "resourceclaims" | "serviceaccounts";

/** Reports whether a Pod refers to an object in its namespace. Mirror Pods refer to nothing: kubelets create them, and must not gain rights by it. */
export function refersTo(pod: Pod, kind: ReferencedKind, name: string): boolean {
  if (name === "" || MIRROR in (pod.metadata.annotations ?? {})) return false;
  switch (kind) {
    case "secrets":
      return isNamed(secretReferences(pod), name);
    case "configmaps":
      return isNamed(configMapReferences(pod), name);
    case "persistentvolumeclaims":
      return claimNames(pod).includes(name);
    case "resourceclaims":
      return resourceClaimNames(pod).includes(name);
    case "serviceaccounts":
      return pod.spec?.serviceAccountName === name;
  }
}

const MIRROR = "kubernetes.io/config.mirror";

function isNamed(references: ReturnType<typeof secretReferences>, name: string): boolean {
  return references.some((reference) => reference.name === name);
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
