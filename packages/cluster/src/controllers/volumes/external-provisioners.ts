import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

/** Drivers that took over the provisioners that Kubernetes itself had. */
const MIGRATED: Readonly<Record<string, string>> = {
  "kubernetes.io/aws-ebs": "ebs.csi.aws.com",
  "kubernetes.io/azure-disk": "disk.csi.azure.com",
  "kubernetes.io/azure-file": "file.csi.azure.com",
  "kubernetes.io/cinder": "cinder.csi.openstack.org",
  "kubernetes.io/gce-pd": "pd.csi.storage.gke.io",
  "kubernetes.io/portworx-volume": "pxd.portworx.com",
  "kubernetes.io/vsphere-volume": "csi.vsphere.vmware.com",
};

/** Returns the provisioner that creates the volumes of a class; undefined for names of Kubernetes that have none, such as `kubernetes.io/no-provisioner`. */
export function externalProvisioner({ provisioner }: StorageClass): string | undefined {
  return MIGRATED[provisioner] ?? (provisioner.startsWith("kubernetes.io/") ? undefined : provisioner);
}
