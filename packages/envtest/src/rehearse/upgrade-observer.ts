import type { ApiServer, StoredWrite } from "@kubescaffold/apiserver";
import { type GroupResource, groupResourceToString } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { isRecord } from "@kubescaffold/platform";

import type { ObservedMetadata, ObservedObject, ObservedPod, UpgradeRecord } from "../oracles/upgrade-record.ts";
import type { ServedObjects } from "./served-objects.ts";

// Records of what happened, and locks: no part of a desired state.
const NEVER_OBSERVED: ReadonlySet<string> = new Set(["events", "events.events.k8s.io", "leases.coordination.k8s.io"]);

// Where the controllers of a cluster store the owners of Pods.
const WORKLOADS: Readonly<Record<string, GroupResource>> = {
  ReplicaSet: { group: "apps", resource: "replicasets" },
  Deployment: { group: "apps", resource: "deployments" },
  StatefulSet: { group: "apps", resource: "statefulsets" },
  DaemonSet: { group: "apps", resource: "daemonsets" },
  Job: { group: "batch", resource: "jobs" },
};
const PODS: GroupResource = { group: "", resource: "pods" };

/** An object that was written, and where it is stored. */
interface WrittenObject {
  readonly groupResource: GroupResource;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly isOfUser: boolean;
}

/** A stored object. */
type Stored = NonNullable<ReturnType<ApiServer["context"]["objects"]["get"]>>;

/** The objects that the operator and the user have written, and the Pods of their workloads. */
export class UpgradeObserver {
  readonly #server: ApiServer;
  readonly #served: ServedObjects;
  readonly #written = new Map<string, WrittenObject>();

  constructor(server: ApiServer, served: ServedObjects) {
    this.#server = server;
    this.#served = served;
  }

  /** Notes a write. */
  note({ group, resource, changes }: Pick<StoredWrite, "group" | "resource" | "changes">, isOfUser: boolean): void {
    const groupResource = { group, resource };
    if (NEVER_OBSERVED.has(groupResourceToString(groupResource))) return;
    for (const { object } of changes) {
      const { uid = "", namespace = "", name = "" } = object.metadata as ObservedMetadata;
      if (!this.#written.has(uid)) this.#written.set(uid, { groupResource, namespace, name, uid, isOfUser });
    }
  }

  /** Returns what oracles see after a step. */
  async record(step: string): Promise<UpgradeRecord> {
    const objects = this.objects();
    return {
      step,
      objects,
      pods: this.#pods(objects),
      served: await this.#served.read(),
      definitions: await this.#served.definitions(),
    };
  }

  /** Returns the objects that exist, by their uids. */
  objects(): ReadonlyMap<string, ObservedObject> {
    const found = [...this.#written.values()].flatMap((written) => {
      const object = this.#read(written.groupResource, written);
      if (object === undefined || object.metadata.uid !== written.uid) return [];
      const { spec } = object as { readonly spec?: unknown };
      const metadata = object.metadata as ObservedMetadata;
      return [
        [
          written.uid,
          { name: nameOf(written.groupResource, metadata), metadata, spec, isOfUser: written.isOfUser },
        ] as const,
      ];
    });
    return new Map(found);
  }

  /** Returns the objects of the user that exist. */
  objectsOfUser(): readonly { readonly name: string; readonly object: KubernetesObject }[] {
    return [...this.#written.values()].flatMap((written) => {
      const object = written.isOfUser ? this.#read(written.groupResource, written) : undefined;
      if (object === undefined) return [];
      return [
        {
          name: nameOf(written.groupResource, object.metadata),
          object,
        },
      ];
    });
  }

  #pods(objects: ReadonlyMap<string, ObservedObject>): readonly ObservedPod[] {
    return this.#server.context.objects.list(PODS).flatMap((pod) => {
      const workload = this.#workloadOf(pod, objects);
      if (workload === undefined) return [];
      const { spec, status } = workload.stored as { readonly spec?: unknown; readonly status?: unknown };
      return [
        {
          uid: String(pod.metadata.uid),
          workload: workload.name,
          restarts: restartsOf(pod),
          template: isRecord(spec) ? spec["template"] : status,
        },
      ];
    });
  }

  #workloadOf(
    object: Stored,
    objects: ReadonlyMap<string, ObservedObject>,
  ): { readonly name: string; readonly stored: Stored } | undefined {
    let current: Stored | undefined = object;
    // Pod, ReplicaSet, Deployment.
    for (let level = 0; level < 3; level += 1) {
      const metadata = current?.metadata as ObservedMetadata | undefined;
      const [owner] = metadata?.ownerReferences ?? [];
      const groupResource = owner === undefined ? undefined : WORKLOADS[owner.kind];
      if (owner === undefined || groupResource === undefined) return undefined;
      current = this.#read(groupResource, { namespace: metadata?.namespace ?? "", name: owner.name });
      const observed = objects.get(owner.uid);
      if (observed !== undefined && current !== undefined) return { name: observed.name, stored: current };
    }
    return undefined;
  }

  #read(groupResource: GroupResource, key: { readonly namespace: string; readonly name: string }): Stored | undefined {
    return this.#server.context.objects.get(groupResource, { namespace: key.namespace, name: key.name });
  }
}

function nameOf(groupResource: GroupResource, { namespace = "", name = "" }: ObservedMetadata): string {
  return `${groupResourceToString(groupResource)} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

function restartsOf(pod: Stored): number {
  const { status } = pod as { readonly status?: unknown };
  const statuses = isRecord(status) && Array.isArray(status["containerStatuses"]) ? status["containerStatuses"] : [];
  return statuses.filter(isRecord).reduce((sum, each) => sum + Number(each["restartCount"] ?? 0), 0);
}
