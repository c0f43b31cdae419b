import {
  claimNames,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, objectKey } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import { type EventWriter, eventWriter } from "../workload/event-writer.ts";
import { PODS, readStored } from "../workload/workload-objects.ts";
import { syncBoundClaim, syncUnboundClaim } from "./sync-claim.ts";
import { syncVolume } from "./sync-volume.ts";
import { BIND_COMPLETED, CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES } from "./volume-resources.ts";
import type { VolumeWork } from "./volume-work.ts";

const CLAIM = "claim ";
const VOLUME = "volume ";
const USED_CLAIM = "used claim ";
// How often kube-controller-manager looks at all claims, which is how it notices the Pods that use them.
const RESYNC_MS = 15_000;

/** Binds PersistentVolumeClaims to PersistentVolumes, and releases the volumes of deleted claims. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work = volumeWork(
    context,
    context.clientFor(self.user),
    eventWriter(context, self.user, "persistentvolume-controller"),
  );
  return storeController({
    name: self.name,
    context,
    watches: [CLAIMS, PERSISTENT_VOLUMES, STORAGE_CLASSES, PODS],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => [
      ...work.volumes().map(({ metadata }) => VOLUME + (metadata.name ?? "")),
      ...context.objects.list(CLAIMS).map((claim) => CLAIM + keyOf(objectKey(claim))),
    ],
    work: async (key, worker) => {
      if (key.startsWith(USED_CLAIM)) {
        worker.addAfter(CLAIM + key.slice(USED_CLAIM.length), RESYNC_MS);
        return;
      }
      try {
        await sync(work, key);
      } catch (error) {
        // What changed meanwhile leads here again.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  });
}

function volumeWork(context: ServerContext, client: InternalClient, events: EventWriter): VolumeWork {
  const last = new Map<string, string>();
  return {
    client,
    volumes: () => context.objects.list(PERSISTENT_VOLUMES),
    volume: (name) => readStored<PersistentVolume>(context, PERSISTENT_VOLUMES, { namespace: "", name }),
    claim: (key) => readStored<PersistentVolumeClaim>(context, CLAIMS, key),
    classes: () => context.objects.list(STORAGE_CLASSES) as unknown as readonly StorageClass[],
    podsOf: ({ metadata }) => {
      const pods = context.objects.list(PODS, metadata.namespace) as unknown as readonly Pod[];
      return pods.filter((pod) => claimNames(pod).includes(metadata.name ?? ""));
    },
    report: async (object: KubernetesObject, event) => {
      const { uid = "" } = object.metadata;
      const text = `${event.reason} ${event.message}`;
      if (last.get(uid) === text) return;
      last.set(uid, text);
      await events.write(object, event);
    },
  };
}

async function sync(work: VolumeWork, key: string): Promise<void> {
  if (key.startsWith(VOLUME)) {
    const volume = work.volume(key.slice(VOLUME.length));
    if (volume !== undefined) await syncVolume(work, volume);
    return;
  }
  const claim = work.claim(splitKey(key.slice(CLAIM.length)));
  if (claim === undefined) return;
  if (claim.metadata.annotations?.[BIND_COMPLETED] === undefined) await syncUnboundClaim(work, claim);
  else await syncBoundClaim(work, claim);
}

function keysOf(context: ServerContext, { groupResource, object, kind }: StoreEvent): readonly string[] {
  switch (groupResource.resource) {
    case "persistentvolumeclaims":
      return [CLAIM + keyOf(objectKey(object)), ...volumesOfClaim(context, object)];
    case "persistentvolumes":
      return [VOLUME + (object.metadata.name ?? ""), ...claimsOfVolume(context, object)];
    case "storageclasses":
      return unboundClaims(context);
    default:
      return kind === "modified" ? [] : unboundClaimsOf(context, object);
  }
}

function unboundClaimsOf(context: ServerContext, pod: Pod): readonly string[] {
  const { namespace = "" } = pod.metadata;
  return claimNames(pod)
    .map((name) => ({ namespace, name }))
    .filter((key) => context.objects.get(CLAIMS, key)?.metadata.annotations?.[BIND_COMPLETED] === undefined)
    .map((key) => USED_CLAIM + keyOf(key));
}

function volumesOfClaim(context: ServerContext, { metadata, spec }: PersistentVolumeClaim): readonly string[] {
  const volumes = context.objects.list(PERSISTENT_VOLUMES) as unknown as readonly PersistentVolume[];
  return volumes
    .filter((volume) => {
      const { namespace, name } = volume.spec?.claimRef ?? {};
      return volume.metadata.name === spec?.volumeName || (namespace === metadata.namespace && name === metadata.name);
    })
    .map((volume) => VOLUME + (volume.metadata.name ?? ""));
}

// A volume may satisfy any claim that waits for one.
function claimsOfVolume(context: ServerContext, { spec, status, metadata }: PersistentVolume): readonly string[] {
  const { namespace = "", name = "" } = spec?.claimRef ?? {};
  const own = name === "" ? [] : [CLAIM + keyOf({ namespace, name })];
  const claims = context.objects.list(CLAIMS) as unknown as readonly PersistentVolumeClaim[];
  const users = claims.filter((claim) => claim.spec?.volumeName === metadata.name);
  const waiting = status?.phase === "Available" ? unboundClaims(context) : [];
  return [...own, ...users.map((claim) => CLAIM + keyOf(objectKey(claim))), ...waiting];
}

function unboundClaims(context: ServerContext): readonly string[] {
  return context.objects
    .list(CLAIMS)
    .filter(({ metadata }) => metadata.annotations?.[BIND_COMPLETED] === undefined)
    .map((claim) => CLAIM + keyOf(objectKey(claim)));
}
