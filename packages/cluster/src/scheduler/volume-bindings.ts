import {
  type InternalClient,
  type ServerContext,
  splitKey,
  type StoreEvent,
} from "@kubescaffold/apiserver/cluster-api";
import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { reachesVolume } from "../controllers/node-affinity.ts";
import { CLAIMS, PERSISTENT_VOLUMES, SELECTED_NODE } from "../controllers/volumes/volume-resources.ts";
import { reserve, writeClaim } from "../controllers/volumes/volume-writes.ts";
import { NODES, PODS, readStored } from "../controllers/workload/workload-objects.ts";
import { isBound, type VolumePlan } from "./volume-filter.ts";

/** How long volumes may take to be bound. */
export const BIND_TIMEOUT_MS = 600_000;

/** A pod that has a node, and waits for its volumes. */
export interface WaitingPod {
  readonly pod: Pod;
  readonly node: string;
  readonly plan: VolumePlan;
  /** When the pod is tried again, in milliseconds of the server's clock. */
  readonly deadline: number;
  /** Ends the timer of the deadline. */
  readonly cancelTimer: () => void;
}

/** How the binding of the volumes of a pod proceeds. */
export type BindingProgress =
  | { readonly kind: "bound" }
  | { readonly kind: "waiting" }
  | { readonly kind: "failed"; readonly problem: string };

/** The pods whose volumes are being bound, by their keys. */
export class VolumeBindings {
  readonly #context: ServerContext;
  readonly #client: InternalClient;
  readonly #waiting = new Map<string, WaitingPod>();

  constructor(context: ServerContext, client: InternalClient) {
    this.#context = context;
    this.#client = client;
  }

  get(key: string): WaitingPod | undefined {
    return this.#waiting.get(key);
  }

  /** Reserves the existing volumes of a pod, and requests the new ones on its node; the binder and provisioners do the rest. */
  async start(key: string, waiting: WaitingPod): Promise<void> {
    this.#waiting.set(key, waiting);
    const { bindings, provisions } = waiting.plan;
    for (const { volume, claim } of bindings) await reserve(this.#client, volume, claim);
    for (const { metadata } of provisions) {
      const claim = this.#claim(metadata);
      const annotations = { ...claim?.metadata.annotations, [SELECTED_NODE]: waiting.node };
      if (claim !== undefined)
        await writeClaim(this.#client, { ...claim, metadata: { ...claim.metadata, annotations } });
    }
  }

  /** Stops waiting for the volumes of a pod. */
  forget(key: string): void {
    this.#waiting.get(key)?.cancelTimer();
    this.#waiting.delete(key);
  }

  /** Stops waiting for all volumes. */
  clear(): void {
    for (const key of this.#waiting.keys()) this.forget(key);
  }

  /** Returns the keys of the pods whose volumes a change may bind, or make unavailable. */
  keysFor(event: StoreEvent): readonly string[] {
    return [...this.#waiting].filter(([key, waiting]) => concerns(event, key, waiting)).map(([key]) => key);
  }

  /** Returns whether all volumes of a waiting pod are bound, or why they cannot be, as kube-scheduler finds out every second. */
  progressOf(key: string, { pod, node, plan, deadline }: WaitingPod): BindingProgress {
    const host = readStored<Node>(this.#context, NODES, { namespace: "", name: node });
    if (host === undefined) return failed(`failed to get node "${node}": node "${node}" not found`);
    const current = readStored<Pod>(this.#context, PODS, splitKey(key));
    if (current?.metadata.uid !== pod.metadata.uid)
      return failed(`pod does not exist any more: pod "${pod.metadata.name ?? ""}" not found`);
    const steps = [
      ...plan.bindings.map(
        ({ volume, claim }) =>
          () =>
            this.#progressOfVolume(volume, claim, host),
      ),
      ...plan.provisions.map((claim) => () => this.#progressOfClaim(claim, host)),
    ];
    for (const step of steps) {
      const progress = step();
      if (progress.kind === "bound") continue;
      const isLate = progress.kind === "waiting" && this.#context.clock.now() >= deadline;
      return isLate ? failed("context deadline exceeded") : progress;
    }
    return { kind: "bound" };
  }

  #progressOfVolume({ metadata }: PersistentVolume, former: PersistentVolumeClaim, host: Node): BindingProgress {
    const name = metadata.name ?? "";
    const volume = this.#volume(name);
    if (volume === undefined) return failed(`failed to check binding: persistentvolumes "${name}" not found`);
    const claim = this.#claim(former.metadata);
    if (claim === undefined) return failed(`failed to check binding: ${missing(former)}`);
    const mismatch = mismatchOf(volume, host);
    if (mismatch !== undefined) return mismatch;
    if ((volume.spec?.claimRef?.uid ?? "") === "") return failed(`ClaimRef got reset for pv "${name}"`);
    return isBound(claim) ? { kind: "bound" } : { kind: "waiting" };
  }

  #progressOfClaim(former: PersistentVolumeClaim, host: Node): BindingProgress {
    const claim = this.#claim(former.metadata);
    if (claim === undefined) return failed(`failed to check provisioning pvc: ${missing(former)}`);
    const { name = "", annotations } = claim.metadata;
    if (annotations === undefined) return failed(`selectedNode annotation reset for PVC "${name}"`);
    // Provisioners that fail remove the annotation.
    if (annotations[SELECTED_NODE] !== host.metadata.name) return failed(`provisioning failed for PVC "${name}"`);
    const { volumeName = "" } = claim.spec ?? {};
    if (volumeName === "") return { kind: "waiting" };
    const volume = this.#volume(volumeName);
    if (volume === undefined) return { kind: "waiting" };
    return mismatchOf(volume, host) ?? (isBound(claim) ? { kind: "bound" } : { kind: "waiting" });
  }

  #claim({ namespace = "", name = "" }: PersistentVolumeClaim["metadata"]): PersistentVolumeClaim | undefined {
    return readStored<PersistentVolumeClaim>(this.#context, CLAIMS, { namespace, name });
  }

  #volume(name: string): PersistentVolume | undefined {
    return readStored<PersistentVolume>(this.#context, PERSISTENT_VOLUMES, { namespace: "", name });
  }
}

function concerns(
  { groupResource, object, previous, kind, key }: StoreEvent,
  podKey: string,
  { pod, node, plan }: WaitingPod,
): boolean {
  const { name, namespace } = object.metadata;
  const claims = [...plan.bindings.map(({ claim }) => claim), ...plan.provisions];
  switch (groupResource.resource) {
    case "persistentvolumeclaims":
      return namespace === pod.metadata.namespace && claims.some(({ metadata }) => metadata.name === name);
    case "persistentvolumes": {
      const reference = (object as PersistentVolume).spec?.claimRef;
      const isReserved = claims.some(({ metadata }) => metadata.uid === reference?.uid);
      return isReserved || plan.bindings.some(({ volume }) => volume.metadata.name === name);
    }
    case "nodes":
      return name === node && (kind === "deleted" || !deepEqual(object.metadata.labels, previous?.metadata.labels));
    default:
      return key === podKey && kind !== "modified" && groupResource.resource === "pods";
  }
}

function failed(problem: string): BindingProgress {
  return { kind: "failed", problem: `binding volumes: ${problem}` };
}

function missing({ metadata }: PersistentVolumeClaim): string {
  return `persistentvolumeclaims "${metadata.namespace ?? ""}/${metadata.name ?? ""}" not found`;
}

function mismatchOf(volume: PersistentVolume, host: Node): BindingProgress | undefined {
  if (reachesVolume(host, volume)) return undefined;
  const [own, node] = [volume.metadata.name ?? "", host.metadata.name ?? ""];
  return failed(`pv "${own}" node affinity doesn't match node "${node}": no matching NodeSelectorTerms`);
}
