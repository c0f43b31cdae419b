import type { InternalClient } from "@kubescaffold/apiserver/cluster-api";
import type { PersistentVolume, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import type { StorageClass } from "@kubescaffold/k8s/storage/v1";

import type { EventWriter } from "../workload/event-writer.ts";

/** What the binding of volumes reads and writes. */
export interface VolumeWork {
  readonly client: InternalClient;
  readonly volumes: () => readonly PersistentVolume[];
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly claim: (key: { readonly namespace: string; readonly name: string }) => PersistentVolumeClaim | undefined;
  readonly classes: () => readonly StorageClass[];
  readonly podsOf: (claim: PersistentVolumeClaim) => readonly Pod[];
  /** Writes an event, unless the last one about the object is the same. */
  readonly report: EventWriter["write"];
}
