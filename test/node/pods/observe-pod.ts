import { type ContainerState, type ContainerStatus, Event, Pod } from "@kubescaffold/k8s/core/v1";
import type { LiveClient } from "@kubescaffold/runtime";

import { eventually } from "../../e2e/eventually.ts";
import type { TablePod } from "./pod-table.ts";

const NAMESPACE = "default";
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
  const seen = async (isOver: (pod: Pod, row: PodRow) => boolean): Promise<PodRow> => {
    let row: PodRow | undefined;
    return await eventually(
      async () => {
        const pod = (await client.get(Pod, key)) as Pod;
        row = rowOf(pod, await eventsOf(client, name));
        return isOver(pod, row) ? row : undefined;
      },
      () => `${JSON.stringify(until)} of the Pod ${name}, not ${JSON.stringify(row, undefined, 1)}`,
    );
  };
  try {
    if (until.kind === "end") return await seen(hasEnded);
    if (until.kind === "event") return await seen((pod, { events }) => events.some((each) => each.split(" ")[1]?.replace(/:$/u, "") === until.reason) && hasStatus(pod));
    const ready = await seen(({ status }) => status?.conditions?.find(({ type }) => type === "Ready")?.status === "True");
    if (until.kind === "ready") return ready;
    await client.delete(Pod.create({ metadata: key }));
    return await seen(hasEnded);
  } finally {
    await client.patch(Pod.create({ metadata: key }), {
      type: "merge",
      data: { metadata: { finalizers: [] } },
    } as never).catch(() => undefined);
    await client.delete(Pod.create({ metadata: key }), { gracePeriodSeconds: 0 }).catch(() => undefined);
  }
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function hasStatus({ status }: Pod): boolean {
  return (status?.containerStatuses?.length ?? 0) > 0;
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
