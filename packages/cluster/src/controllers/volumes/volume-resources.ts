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
