import type { Pod } from "@kubescaffold/k8s/core/v1";

/** Where PersistentVolumes are stored and served. */
export const PERSISTENT_VOLUMES = { group: "", version: "v1", resource: "persistentvolumes" } as const;
/** Where PersistentVolumeClaims are stored and served. */
export const CLAIMS = { group: "", version: "v1", resource: "persistentvolumeclaims" } as const;
/** Where StorageClasses are stored and served. */
export const STORAGE_CLASSES = { group: "storage.k8s.io", version: "v1", resource: "storageclasses" } as const;
/** Where VolumeAttributesClasses are stored and served. */
export const ATTRIBUTES_CLASSES = {
  group: "storage.k8s.io",
  version: "v1",
  resource: "volumeattributesclasses",
} as const;

/** The name of the service account that binds claims to volumes. */
export const VOLUME_BINDER = "persistent-volume-binder";

/** The name of the service account that keeps bound volumes. */
export const VOLUME_PROTECTION = "pv-protection-controller";

/** The name of the service account that keeps VolumeAttributesClasses that are used. */
export const ATTRIBUTES_CLASS_PROTECTION = "volumeattributesclass-protection-controller";

/** The name of the service account that creates the claims of ephemeral volumes. */
export const EPHEMERAL_VOLUMES = "ephemeral-volume-controller";

/** The name of what provisions volumes, with the permissions of the binder. */
export const VOLUME_PROVISIONER = "simulated-volume-provisioner";

/** The name of the service account that expands volumes. */
export const VOLUME_EXPANSION = "expand-controller";

/** The name of what resizes volumes that were provisioned, with the permissions of the binder. */
export const VOLUME_RESIZER = "simulated-volume-resizer";

/** The provisioner of classes whose volumes an administrator creates. */
export const NO_PROVISIONER = "kubernetes.io/no-provisioner";

/** The annotation of a claim with the node of the Pod that uses it. */
export const SELECTED_NODE = "volume.kubernetes.io/selected-node";
/** The annotation of a claim with the provisioner that is asked for a volume. */
export const STORAGE_PROVISIONER = "volume.kubernetes.io/storage-provisioner";
/** The former name of that annotation, which is set as well. */
export const BETA_STORAGE_PROVISIONER = "volume.beta.kubernetes.io/storage-provisioner";
/** The annotation of what a controller bound, and not a user. */
export const BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";
/** The annotation of a claim that was bound. */
export const BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
/** The annotation of a volume with the provisioner that created it. */
export const PROVISIONED_BY = "pv.kubernetes.io/provisioned-by";

/** Reports whether a Pod has volumes whose claims are created for it. */
export function hasEphemeralVolumes({ spec }: Pod): boolean {
  return (spec?.volumes ?? []).some(({ ephemeral }) => ephemeral !== undefined);
}
