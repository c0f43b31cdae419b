import type { Pod } from "@kubescaffold/k8s/core/v1";

import type { ManagerState, Replica } from "../contract/protocol.ts";
import { managerContainer } from "./metrics-address.ts";

/** A Lease, by the parts that name its holder. */
export interface LeaseHolder {
  readonly name: string;
  /** The identity of the holder: the host name of the Pod, an underscore, and a random ID. */
  readonly holder: string;
}

/** What is known of replicas beside their Pods. */
export interface ReplicaFacts {
  readonly leases: readonly LeaseHolder[];
  /** Whether a Pod is the leader by its metrics; undefined if they do not say. */
  readonly isLeaderByMetrics: (pod: string) => boolean | undefined;
  readonly hasMetrics: (pod: string) => boolean;
}

/** Returns the replicas of a manager, the leader first. */
export function replicasOf(pods: readonly Pod[], facts: ReplicaFacts): readonly Replica[] {
  const names = pods.map(({ metadata }) => metadata.name ?? "");
  const isElected = facts.leases.some(({ holder }) => names.some((name) => isHolder(name, holder)));
  const replicas = pods.map((pod): Replica => {
    const name = pod.metadata.name ?? "";
    const byLease = isElected ? facts.leases.some(({ holder }) => isHolder(name, holder)) : undefined;
    const isLeader = byLease ?? facts.isLeaderByMetrics(name);
    const container = managerContainer(pod);
    const state = pod.status?.containerStatuses?.find((each) => each.name === container?.name);
    return {
      pod: name,
      status: statusOf(pod),
      isReady: isReady(pod),
      ...(isLeader === undefined ? {} : { isLeader }),
      restarts: state?.restartCount ?? 0,
      createdAt: Date.parse(pod.metadata.creationTimestamp ?? "") || 0,
      node: pod.spec?.nodeName ?? "",
      image: container?.image ?? "",
      hasMetrics: facts.hasMetrics(name),
    };
  });
  return replicas.toSorted(
    (left, right) =>
      Number(right.isLeader === true) - Number(left.isLeader === true) || (left.pod < right.pod ? -1 : 1),
  );
}

/** Returns the state of a manager by its replicas. */
export function managerStateOf(replicas: readonly Replica[], at: number): ManagerState {
  const ready = replicas.filter(({ isReady: each }) => each).length;
  const leader = replicas.find(({ isLeader }) => isLeader === true);
  const detail = [
    `${String(ready)} of ${String(replicas.length)} ${replicas.length === 1 ? "replica" : "replicas"} ready`,
    ...(leader === undefined ? [] : [`leader ${leader.pod}`]),
  ].join(" · ");
  return { type: "manager", at, state: ready > 0 ? "ready" : replicas.length > 0 ? "starting" : "stopped", detail };
}

/** Reports whether the containers of a Pod run, so that its ports can be reached. */
export function isRunning({ metadata, status }: Pod): boolean {
  return status?.phase === "Running" && metadata.deletionTimestamp === undefined;
}

function isHolder(pod: string, holder: string): boolean {
  return holder === pod || holder.startsWith(`${pod}_`);
}

function isReady({ status }: Pod): boolean {
  return status?.conditions?.some((each) => each.type === "Ready" && each.status === "True") === true;
}

// What kubectl prints in the column STATUS, without init containers.
function statusOf({ metadata, status }: Pod): string {
  if (metadata.deletionTimestamp !== undefined) return "Terminating";
  const reasons = (status?.containerStatuses ?? []).flatMap(({ state }) => {
    const reason = state?.waiting?.reason ?? state?.terminated?.reason;
    return reason === undefined || reason === "" ? [] : [reason];
  });
  return reasons[0] ?? status?.reason ?? status?.phase ?? "Unknown";
}
