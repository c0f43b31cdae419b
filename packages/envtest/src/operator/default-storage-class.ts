import { StorageClass } from "@kubescaffold/k8s/storage/v1";
import type { LiveClient } from "@kubescaffold/runtime";

/**
 * Creates the StorageClass `standard` as the default one of a cluster that has none, as kind and minikube do: otherwise Pods whose claims name no class
 * would wait. Its volumes are simulated.
 */
export async function ensureDefaultStorageClass(client: LiveClient): Promise<void> {
  const { items } = await client.list(StorageClass);
  if (items.length > 0) return;
  const standard = StorageClass.create({
    metadata: { name: "standard", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
    provisioner: "kubescaffold.dev/simulated",
    reclaimPolicy: "Delete",
    volumeBindingMode: "WaitForFirstConsumer",
    allowVolumeExpansion: true,
  });
  await client.create(standard);
}
