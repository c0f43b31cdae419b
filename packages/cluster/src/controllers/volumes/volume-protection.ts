import {
  type ControllerIdentity,
  type InProcessController,
  type ServerContext,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound } from "@kubescaffold/k8s";
import type { PersistentVolume } from "@kubescaffold/k8s/core/v1";

import { readStored } from "../workload/workload-objects.ts";
import { PERSISTENT_VOLUMES } from "./volume-resources.ts";
import { volumeTarget } from "./volume-writes.ts";

const FINALIZER = "kubernetes.io/pv-protection";

/** Lets deleted volumes go that are not bound. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [PERSISTENT_VOLUMES],
    keysOf: ({ object, kind }) => (kind === "deleted" ? [] : [object.metadata.name ?? ""]),
    initialKeys: () => context.objects.list(PERSISTENT_VOLUMES).map(({ metadata }) => metadata.name ?? ""),
    work: async (name) => {
      const volume = readStored<PersistentVolume>(context, PERSISTENT_VOLUMES, { namespace: "", name });
      const finalizers = volume?.metadata.finalizers ?? [];
      if (volume?.metadata.deletionTimestamp === undefined || volume.status?.phase === "Bound") return;
      if (!finalizers.includes(FINALIZER)) return;
      const metadata = { ...volume.metadata, finalizers: finalizers.filter((finalizer) => finalizer !== FINALIZER) };
      try {
        await client.update(volumeTarget(volume), { ...volume, metadata } as never);
      } catch (error) {
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  });
}
