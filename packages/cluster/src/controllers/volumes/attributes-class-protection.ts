import {
  type ApiObject,
  attributesClassNames,
  type ControllerIdentity,
  type InProcessController,
  type ServerContext,
  storeController,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound } from "@kubescaffold/k8s";
import type { PersistentVolume, PersistentVolumeClaim } from "@kubescaffold/k8s/core/v1";
import type { VolumeAttributesClass } from "@kubescaffold/k8s/storage/v1";

import { readStored } from "../workload/workload-objects.ts";
import { ATTRIBUTES_CLASSES, CLAIMS, PERSISTENT_VOLUMES } from "./volume-resources.ts";

const FINALIZER = "kubernetes.io/vac-protection";

/** Lets deleted VolumeAttributesClasses go that no claim and no volume has. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [ATTRIBUTES_CLASSES, CLAIMS, PERSISTENT_VOLUMES],
    keysOf: namesOf,
    initialKeys: () => context.objects.list(ATTRIBUTES_CLASSES).map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => {
      const found = readStored<VolumeAttributesClass>(context, ATTRIBUTES_CLASSES, { namespace: "", name });
      const finalizers = found?.metadata.finalizers ?? [];
      if (found?.metadata.deletionTimestamp === undefined || !finalizers.includes(FINALIZER)) return;
      if (isUsed(context, name)) return;
      const metadata = { ...found.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER) };
      try {
        await client.update({ ...ATTRIBUTES_CLASSES, namespace: "", name }, { ...found, metadata } as never);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  });
}

// A claim or a volume that changes may have let its former class go.
function namesOf({ groupResource, object, previous }: StoreEvent): readonly string[] {
  if (groupResource.resource === ATTRIBUTES_CLASSES.resource) return [object.metadata.name ?? ""];
  const classesOf = groupResource.resource === CLAIMS.resource ? attributesClassNames : classOfVolume;
  const states = [object, previous].filter((state) => state !== undefined);
  return states.flatMap((state: ApiObject) => classesOf(state));
}

function classOfVolume({ spec }: PersistentVolume): readonly string[] {
  const name = spec?.volumeAttributesClassName ?? "";
  return name === "" ? [] : [name];
}

function isUsed({ objects }: ServerContext, name: string): boolean {
  const claims = objects.list(CLAIMS) as unknown as readonly PersistentVolumeClaim[];
  const volumes = objects.list(PERSISTENT_VOLUMES) as unknown as readonly PersistentVolume[];
  return (
    claims.some((claim) => attributesClassNames(claim).includes(name)) ||
    volumes.some((volume) => classOfVolume(volume).includes(name))
  );
}
