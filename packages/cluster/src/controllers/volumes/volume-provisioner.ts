import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { dns1123SubdomainErrors, isAlreadyExists, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import { type EventWriter, eventWriter } from "../workload/event-writer.ts";
import { NODES, readStored } from "../workload/workload-objects.ts";
import { externalProvisioner } from "./external-provisioners.ts";
import { classOf } from "./volume-matching.ts";
import {
  CLAIMS,
  PERSISTENT_VOLUMES,
  PROVISIONED_BY,
  SELECTED_NODE,
  STORAGE_CLASSES,
  STORAGE_PROVISIONER,
} from "./volume-resources.ts";
import { volumeTarget, writeClaim } from "./volume-writes.ts";

/** Simulates the provisioners of all StorageClasses: creates the volumes that claims ask for, and deletes released ones. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  const events = eventWriter(context, self.user, self.name);
  return storeController({
    name: self.name,
    context,
    watches: [CLAIMS, PERSISTENT_VOLUMES],
    keysOf: ({ object, kind }) => (kind === "deleted" ? [] : [keyOf(objectKey(object))]),
    initialKeys: () =>
      [...context.objects.list(CLAIMS), ...context.objects.list(PERSISTENT_VOLUMES)].map((object) =>
        keyOf(objectKey(object)),
      ),
    work: async (key) => {
      const { namespace, name } = splitKey(key);
      if (namespace !== "") {
        await provision({ context, client, events }, { namespace, name });
        return;
      }
      const volume = readStored<PersistentVolume>(context, PERSISTENT_VOLUMES, { namespace, name });
      if (volume === undefined || !isDisposable(volume)) return;
      await client.delete(volumeTarget(volume)).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    },
  });
}

function isDisposable({ metadata, spec, status }: PersistentVolume): boolean {
  const isOwn = metadata.annotations?.[PROVISIONED_BY] !== undefined && metadata.deletionTimestamp === undefined;
  return isOwn && status?.phase === "Released" && spec?.persistentVolumeReclaimPolicy === "Delete";
}

interface Provisioning {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

async function provision(
  { context, client, events }: Provisioning,
  key: { readonly namespace: string; readonly name: string },
): Promise<void> {
  const claim = readStored<PersistentVolumeClaim>(context, CLAIMS, key);
  if (claim === undefined || (claim.spec?.volumeName ?? "") !== "" || claim.metadata.deletionTimestamp !== undefined)
    return;
  const storageClass = readStored<StorageClass>(context, STORAGE_CLASSES, { namespace: "", name: classOf(claim) });
  const provisioner = storageClass === undefined ? undefined : externalProvisioner(storageClass);
  if (storageClass === undefined || provisioner === undefined) return;
  if (claim.metadata.annotations?.[STORAGE_PROVISIONER] !== provisioner) return;
  const isWaiting = storageClass.volumeBindingMode === "WaitForFirstConsumer";
  const node = claim.metadata.annotations?.[SELECTED_NODE];
  if (isWaiting && node === undefined) return;
  if (node !== undefined && context.objects.get(NODES, { namespace: "", name: node }) === undefined) {
    await giveUpNode(client, events, { claim, node });
    return;
  }
  const volume = provisionedVolume(claim, storageClass, { provisioner, node });
  const { name = "" } = volume.metadata;
  if (context.objects.get(PERSISTENT_VOLUMES, { namespace: "", name }) !== undefined) return;
  const started = `External provisioner is provisioning volume for claim ${JSON.stringify(`${key.namespace}/${key.name}`)}`;
  await events.write(claim, { type: "Normal", reason: "Provisioning", message: started });
  try {
    await client.create({ ...PERSISTENT_VOLUMES, namespace: "", name: "" }, volume as never);
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  const message = `Successfully provisioned volume ${name}`;
  await events.write(claim, { type: "Normal", reason: "ProvisioningSucceeded", message });
}

// The scheduler selects another node when the annotation is gone.
async function giveUpNode(
  client: InternalClient,
  events: EventWriter,
  { claim, node }: { readonly claim: PersistentVolumeClaim; readonly node: string },
): Promise<void> {
  const message = `node ${JSON.stringify(node)} not found`;
  await events.write(claim, { type: "Warning", reason: "ProvisioningFailed", message });
  const { [SELECTED_NODE]: _node, ...annotations } = claim.metadata.annotations ?? {};
  await writeClaim(client, { ...claim, metadata: { ...claim.metadata, annotations } });
}

function provisionedVolume(
  claim: PersistentVolumeClaim,
  storageClass: StorageClass,
  { provisioner, node }: { readonly provisioner: string; readonly node: string | undefined },
): PersistentVolume {
  const { uid = "", name = "", namespace = "", resourceVersion = "" } = claim.metadata;
  const { accessModes = [], volumeMode = "Filesystem", resources = {}, volumeAttributesClassName } = claim.spec ?? {};
  const hostname = { key: "kubernetes.io/hostname", operator: "In" as const, values: [node ?? ""] };
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: `pvc-${uid}`, annotations: { [PROVISIONED_BY]: provisioner } },
    spec: {
      accessModes,
      capacity: { storage: resources.requests?.["storage"] ?? "0" },
      claimRef: { apiVersion: "v1", kind: "PersistentVolumeClaim", name, namespace, uid, resourceVersion },
      ...sourceOf(provisioner, `pvc-${uid}`),
      ...(storageClass.mountOptions === undefined ? {} : { mountOptions: storageClass.mountOptions }),
      ...(node === undefined
        ? {}
        : { nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [hostname] }] } } }),
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? "Delete",
      storageClassName: storageClass.metadata.name ?? "",
      ...(volumeAttributesClassName === undefined ? {} : { volumeAttributesClassName }),
      volumeMode,
    },
  };
}

// Drivers of CSI have names of domains; other provisioners, such as those of local disks, make folders of nodes.
function sourceOf(
  provisioner: string,
  volume: string,
): Pick<NonNullable<PersistentVolume["spec"]>, "csi" | "hostPath"> {
  return dns1123SubdomainErrors(provisioner).length === 0
    ? { csi: { driver: provisioner, volumeHandle: volume } }
    : { hostPath: { path: `/var/lib/volumes/${volume}`, type: "DirectoryOrCreate" } };
}
