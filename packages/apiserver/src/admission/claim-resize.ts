import { compareQuantities } from "@kubescaffold/k8s";
import type { PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import { type AdmissionPlugin, refusal } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";

const STORAGE_CLASSES = { group: "storage.k8s.io", resource: "storageclasses" } as const;
const CLASS_ANNOTATION = "volume.beta.kubernetes.io/storage-class";
const NOT_ALLOWED =
  "only dynamically provisioned pvc can be resized and the storageclass that provisions the pvc must support resize";

/** Refuses larger requests of claims whose StorageClass does not allow them; only bound claims are valid with other requests. */
export function claimResize({ objects }: Pick<ServerContext, "objects">): AdmissionPlugin {
  const allows = (name: string): boolean => {
    const found = name === "" ? undefined : objects.get(STORAGE_CLASSES, { namespace: "", name });
    return (found as StorageClass | undefined)?.allowVolumeExpansion === true;
  };
  return {
    name: "PersistentVolumeClaimResize",
    validate: (attributes) => {
      const { resource, subresource } = attributes;
      if (resource.group !== "" || resource.resource !== "persistentvolumeclaims" || subresource !== "") return;
      const claim = attributes.object as PersistentVolumeClaim | undefined;
      const old = attributes.oldObject as PersistentVolumeClaim | undefined;
      if (claim === undefined || old === undefined) return;
      if (compareQuantities(requestedSize(claim), requestedSize(old)) <= 0) return;
      if (classOf(claim) !== classOf(old) || !allows(classOf(claim))) throw refusal(attributes, NOT_ALLOWED);
    },
  };
}

/** Returns the size that a claim requests. */
export function requestedSize({ spec }: PersistentVolumeClaim): string {
  return spec?.resources?.requests?.["storage"] ?? "0";
}

function classOf({ metadata, spec }: PersistentVolumeClaim): string {
  return metadata.annotations?.[CLASS_ANNOTATION] ?? spec?.storageClassName ?? "";
}
