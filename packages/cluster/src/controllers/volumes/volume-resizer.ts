import {
  claimNames,
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  keyOf,
  requestedSize,
  type ServerContext,
  splitKey,
  storeController,
  type UserInfo,
} from "@kubescaffold/apiserver/cluster-api";
import { compareQuantities, isConflict, isNotFound, objectKey, toTime } from "@kubescaffold/k8s";
import type {
  PersistentVolume,
  PersistentVolumeClaim,
  PersistentVolumeClaimCondition,
  PersistentVolumeClaimStatus,
  Pod,
} from "@kubescaffold/k8s/core/v1";

import { kubeletUser } from "../kubelet-user.ts";
import { eventWriter } from "../workload/event-writer.ts";
import { PODS, readStored } from "../workload/workload-objects.ts";
import { wantsExpansion } from "./claim-size.ts";
import { CLAIMS, PERSISTENT_VOLUMES, PROVISIONED_BY } from "./volume-resources.ts";
import { volumeTarget } from "./volume-writes.ts";

const STORAGE = "storage";

/**
 * Simulates the resizers of storage drivers: enlarges volumes that the simulated provisioner created. Their file systems grow on the node of a running Pod,
 * as with drivers that need it; block devices need no Pod.
 */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const client = context.clientFor(self.user);
  return storeController({
    name: self.name,
    context,
    watches: [CLAIMS, PODS],
    keysOf: ({ groupResource, object, kind }) => {
      if (kind === "deleted") return [];
      if (groupResource.resource !== "pods") return [keyOf(objectKey(object))];
      const { namespace = "" } = object.metadata;
      return isRunning(object) ? claimNames(object).map((name) => keyOf({ namespace, name })) : [];
    },
    initialKeys: () => context.objects.list(CLAIMS).map((claim) => keyOf(objectKey(claim))),
    work: async (key) => {
      const claim = readStored<PersistentVolumeClaim>(context, CLAIMS, splitKey(key));
      if (claim === undefined || !wantsExpansion(claim)) return;
      const name = claim.spec?.volumeName ?? "";
      const volume = readStored<PersistentVolume>(context, PERSISTENT_VOLUMES, { namespace: "", name });
      const isOwn = volume?.metadata.annotations?.[PROVISIONED_BY] !== undefined;
      if (volume?.spec?.claimRef?.uid !== claim.metadata.uid || !isOwn) return;
      try {
        await new Expansion(context, { client, user: self.user }, volume).run(claim);
      } catch (error) {
        // What changed meanwhile leads here again.
        if (!isConflict(error) && !isNotFound(error)) throw error;
      }
    },
  });
}

function isRunning({ status }: Pod): boolean {
  return status?.phase === "Running";
}

/** The expansion of a volume, whose steps its claim shows. */
class Expansion {
  readonly #context: ServerContext;
  readonly #client: InternalClient;
  readonly #user: UserInfo;
  readonly #volume: PersistentVolume;

  constructor(
    context: ServerContext,
    { client, user }: { readonly client: InternalClient; readonly user: UserInfo },
    volume: PersistentVolume,
  ) {
    this.#context = context;
    this.#client = client;
    this.#user = user;
    this.#volume = volume;
  }

  async run(claim: PersistentVolumeClaim): Promise<void> {
    const size = requestedSize(claim);
    const isEnlarged = compareQuantities(this.#volume.spec?.capacity?.[STORAGE] ?? "0", size) >= 0;
    const enlarged = isEnlarged ? claim : await this.#enlarge(claim, size);
    if (claim.spec?.volumeMode === "Block") {
      if (!isEnlarged) await this.#report(enlarged, "VolumeResizeSuccessful", "Resize volume succeeded");
      await this.#finish(enlarged, size);
    } else {
      await this.#growFileSystem(await this.#waitForNode(enlarged), size);
    }
  }

  async #enlarge(claim: PersistentVolumeClaim, size: string): Promise<PersistentVolumeClaim> {
    const { name = "" } = this.#volume.metadata;
    const started = await this.#writeStatus(claim, {
      allocatedResources: { ...claim.status?.allocatedResources, [STORAGE]: size },
      allocatedResourceStatuses: { [STORAGE]: "ControllerResizeInProgress" },
      conditions: this.#conditions(claim, [{ type: "Resizing", status: "True" }]),
    });
    await this.#report(started, "Resizing", `External resizer is resizing volume ${name}`);
    const spec = { ...this.#volume.spec, capacity: { ...this.#volume.spec?.capacity, [STORAGE]: size } };
    await this.#client.update(volumeTarget(this.#volume), { ...this.#volume, spec } as never);
    return started;
  }

  async #waitForNode(claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> {
    if (claim.status?.conditions?.some(({ type }) => type === "FileSystemResizePending") === true) return claim;
    const message = "Waiting for user to (re-)start a pod to finish file system resize of volume on node.";
    const waiting = await this.#writeStatus(claim, {
      allocatedResourceStatuses: { [STORAGE]: "NodeResizePending" },
      conditions: this.#conditions(claim, [{ type: "FileSystemResizePending", status: "True", message }]),
    });
    await this.#report(waiting, "FileSystemResizeRequired", "Require file system resize of volume on node");
    return waiting;
  }

  async #growFileSystem(claim: PersistentVolumeClaim, size: string): Promise<void> {
    const { name = "", namespace } = claim.metadata;
    const pods = this.#context.objects.list(PODS, namespace) as unknown as readonly Pod[];
    const user = pods.find((pod) => isRunning(pod) && claimNames(pod).includes(name));
    if (user === undefined) return;
    await this.#finish(claim, size);
    const host = user.spec?.nodeName ?? "";
    const events = eventWriter(this.#context, kubeletUser(host), "kubelet");
    const message = `MountVolume.NodeExpandVolume succeeded for volume "${this.#volume.metadata.name ?? ""}" ${host}`;
    for (const object of [user, claim])
      await events.write(object, { type: "Normal", reason: "FileSystemResizeSuccessful", message, host });
  }

  async #finish(claim: PersistentVolumeClaim, size: string): Promise<void> {
    const capacity = { ...claim.status?.capacity, [STORAGE]: size };
    await this.#writeStatus(claim, {
      capacity,
      allocatedResourceStatuses: undefined,
      conditions: this.#conditions(claim, []),
    });
  }

  // Those of the expansion are replaced.
  #conditions(
    { status }: PersistentVolumeClaim,
    conditions: readonly PersistentVolumeClaimCondition[],
  ): PersistentVolumeClaimCondition[] {
    const others = (status?.conditions ?? []).filter(({ type }) => !EXPANSION_CONDITIONS.has(type));
    const lastTransitionTime = toTime(this.#context.clock.now());
    return [...others, ...conditions.map((condition) => ({ ...condition, lastTransitionTime }))];
  }

  async #writeStatus(
    claim: PersistentVolumeClaim,
    changes: { readonly [Field in keyof PersistentVolumeClaimStatus]: PersistentVolumeClaimStatus[Field] | undefined },
  ): Promise<PersistentVolumeClaim> {
    const entries = Object.entries({ ...claim.status, ...changes }).filter(([, value]) => value !== undefined);
    const target = { ...CLAIMS, ...objectKey(claim), subresource: "status" };
    const written: unknown = await this.#client.update(target, {
      ...claim,
      status: Object.fromEntries(entries),
    } as never);
    return written as PersistentVolumeClaim;
  }

  async #report(claim: PersistentVolumeClaim, reason: string, message: string): Promise<void> {
    const driver = this.#volume.metadata.annotations?.[PROVISIONED_BY] ?? "";
    const events = eventWriter(this.#context, this.#user, `external-resizer ${driver}`);
    await events.write(claim, { type: "Normal", reason, message });
  }
}

const EXPANSION_CONDITIONS: ReadonlySet<string> = new Set([
  "Resizing",
  "FileSystemResizePending",
  "ControllerResizeError",
  "NodeResizeError",
]);
