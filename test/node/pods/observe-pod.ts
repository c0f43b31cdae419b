import { type ContainerState, type ContainerStatus, Event, Pod } from "@kubescaffold/k8s/core/v1";
import { type LiveClient, patch } from "@kubescaffold/runtime";

import { eventually } from "../../e2e/eventually.ts";
import type { TablePod, Until } from "./pod-table.ts";

const NAMESPACE = "default";
const SETTLED_MS = 2000;
const FINALIZER = "example.com/observed";

/** What a cluster reports about a Pod, without names, addresses, and times that differ from run to run. */
export interface PodRow {
  readonly phase: string;
  readonly reason?: string;
  readonly conditions: readonly string[];
  readonly containers: readonly string[];
  readonly events: readonly string[];
}

/** Creates a Pod of the table, waits until it is to be observed, and returns what the cluster reports. The Pod is deleted. */
export async function observePod(client: LiveClient, { name, spec, until }: TablePod): Promise<PodRow> {
  const key = { namespace: NAMESPACE, name };
  // Keeps the last status of a deleted Pod.
  await client.create(Pod.create({ metadata: { ...key, finalizers: [FINALIZER] }, spec }));
  try {
    if (until.kind !== "deleted") return await settledRow(client, name, until);
    await settledRow(client, name, { kind: "ready" });
    await client.delete(Pod.create({ metadata: key }));
    return await settledRow(client, name, { kind: "end" });
  } finally {
    await client
      .patch(Pod.create({ metadata: { ...key, finalizers: [] } }), patch.mergeFrom(Pod.create({ metadata: { ...key, finalizers: [FINALIZER] } })))
      .catch(() => undefined);
    await client.delete(Pod.create({ metadata: key }), { gracePeriodSeconds: 0 }).catch(() => undefined);
  }
}

// Statuses and events arrive separately: a row counts when it did not change for a while.
async function settledRow(client: LiveClient, name: string, until: Until): Promise<PodRow> {
  let row: PodRow | undefined;
  let text = "";
  let since = 0;
  return await eventually(
    async () => {
      const pod = (await client.get(Pod, { namespace: NAMESPACE, name })) as Pod;
      row = rowOf(pod, await eventsOf(client, name));
      const isReached = isOver(pod, row, until);
      const current = isReached ? JSON.stringify(row) : "";
      if (current !== text) since = performance.now();
      text = current;
      return isReached && performance.now() - since > SETTLED_MS ? row : undefined;
    },
    () => `${JSON.stringify(until)} of the Pod ${name}, not ${JSON.stringify(row, undefined, 1)}`,
  );
}

function isOver(pod: Pod, { events }: PodRow, until: Until): boolean {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  switch (until.kind) {
    case "end":
    case "deleted":
      return hasEnded(pod);
    case "ready":
      return pod.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
    case "waiting":
      return statuses.some(({ state }) => state?.waiting?.reason === until.reason);
    case "event":
    default:
      return statuses.length > 0 && events.some((each) => each.split(" ")[1] === `${until.reason}:`);
  }
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

async function eventsOf(client: LiveClient, name: string): Promise<readonly Event[]> {
  const { items } = await client.list(Event, { namespace: NAMESPACE, fieldSelector: `involvedObject.name=${name}` } as never);
  return items as readonly Event[];
}

function rowOf({ metadata, status }: Pod, events: readonly Event[]): PodRow {
  const stable = (text: string): string => normalized(text, metadata);
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return {
    phase: status?.phase ?? "",
    ...(status?.reason === undefined ? {} : { reason: status.reason }),
    conditions: (status?.conditions ?? []).map(({ type, status: value, reason }) => [`${type}=${value}`, reason ?? ""].join(" ").trim()).toSorted(),
    containers: all.map((each) => stable(containerText(each))),
    events: [...new Set(events.map(({ type, reason, message }) => stable(`${type ?? ""} ${reason ?? ""}: ${message ?? ""}`)))].toSorted(),
  };
}

function containerText({ name, ready, started, state, lastState }: ContainerStatus): string {
  const flags = [ready ? "ready" : "not ready", started === true ? "started" : "not started"];
  const last = stateText(lastState);
  return `${name}: ${stateText(state)}, ${flags.join(", ")}${last === "" ? "" : `, last ${last}`}`;
}

function stateText(state: ContainerState | undefined): string {
  if (state?.running !== undefined) return "running";
  const { reason = "", message } = state?.waiting ?? state?.terminated ?? {};
  const code = state?.terminated?.exitCode;
  return [reason, code === undefined ? "" : String(code), message === undefined ? "" : JSON.stringify(message)]
    .filter((each) => each !== "")
    .join(" ");
}

function normalized(text: string, { name = "", uid = "" }: Pod["metadata"]): string {
  return text
    .replaceAll(`${name}_default(${uid})`, "POD")
    .replaceAll(uid, "UID")
    .replaceAll(/\b(?:containerd:\/\/)?[0-9a-f]{64}\b/gu, "ID")
    .replaceAll(/\b10\.\d+\.\d+\.\d+\b/gu, "IP")
    .replaceAll(/assigned default\/\S+ to \S+/gu, "assigned POD to NODE")
    .replaceAll(/back-off \S+ restarting/gu, "back-off TIME restarting");
}
