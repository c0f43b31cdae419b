import { setTimeout as delay } from "node:timers/promises";

import {
  type Container,
  type ContainerState,
  type ContainerStatus,
  Event,
  Node,
  type ObjectReference,
  Pod,
  type PodCondition,
} from "@kubescaffold/k8s/core/v1";
import { type LiveClient, patch } from "@kubescaffold/runtime";

import { eventually } from "../../e2e/eventually.ts";
import type { Change, TablePod, Until } from "./table-pod.ts";

const NAMESPACE = "default";
// More frequent requests would slow down the cluster that is observed.
const POLL_MS = 200;
const FINALIZER = "example.com/observed";

/** What a cluster reports about a Pod, without names, addresses, and times that differ from run to run. */
export interface PodRow {
  readonly phase: string;
  readonly reason?: string;
  readonly message?: string;
  readonly conditions: readonly string[];
  readonly containers: readonly string[];
  readonly events: readonly string[];
}

/** How Pods are observed. */
export interface Observation {
  readonly client: LiveClient;
  /** How long a report must not change before it counts. Containers wait ten seconds for their second restart, and no report is quiet for longer. */
  readonly quietMs: number;
}

/**
 * Creates a Pod of the table, waits until it is to be observed, and returns what the cluster reports. The Pod is deleted.
 * Throws when the report never becomes quiet.
 */
export async function observePod(observation: Observation, pod: TablePod): Promise<PodRow> {
  const { client } = observation;
  const { name, spec, annotations, change, until } = pod;
  const key = { namespace: NAMESPACE, name };
  const nodeName = pod.isBound === true ? await firstNode(client) : undefined;
  await client.create(
    Pod.create({
      // The finalizer keeps the last status of a deleted Pod.
      metadata: { ...key, finalizers: [FINALIZER], ...(annotations === undefined ? {} : { annotations }) },
      spec: nodeName === undefined ? spec : { ...spec, nodeName },
    }),
  );
  try {
    if (change === undefined) return await settledRow(observation, name, until);
    await settledRow(observation, name, { kind: "ready" });
    await applyChange(client, name, change);
    return await settledRow(observation, name, until);
  } finally {
    await client
      .patch(
        Pod.create({ metadata: { ...key, finalizers: [] } }),
        patch.mergeFrom(Pod.create({ metadata: { ...key, finalizers: [FINALIZER] } })),
      )
      .catch(() => undefined);
    await client.delete(Pod.create({ metadata: key }), { gracePeriodSeconds: 0 }).catch(() => undefined);
  }
}

async function firstNode(client: LiveClient): Promise<string> {
  const { items } = await client.list(Node);
  return items[0]?.metadata.name ?? "";
}

async function applyChange(client: LiveClient, name: string, change: Change): Promise<void> {
  const pod = (await client.get(Pod, { namespace: NAMESPACE, name })) as Pod;
  const [main, ...others] = pod.spec?.containers ?? [];
  const withMain = (fields: Partial<Container>): Pod =>
    ({ ...pod, spec: { ...pod.spec, containers: [{ ...main, ...fields }, ...others] } }) as Pod;
  switch (change.kind) {
    case "delete":
      await client.delete(pod);
      return;
    case "debug": {
      const debugged = { ...pod, spec: { ...pod.spec, ephemeralContainers: [change.container] } } as Pod;
      await client.subResource("ephemeralcontainers").update(debugged);
      return;
    }
    case "image":
      await client.update(withMain({ image: change.image }));
      return;
    case "resize":
    default:
      await client.subResource("resize").update(withMain({ resources: change.resources }));
  }
}

// Statuses and events arrive separately: a row counts when it did not change for a while.
async function settledRow({ client, quietMs }: Observation, name: string, until: Until): Promise<PodRow> {
  let row: PodRow | undefined;
  let text = "";
  let since = 0;
  return await eventually(
    async () => {
      await delay(POLL_MS);
      const pod = (await client.get(Pod, { namespace: NAMESPACE, name })) as Pod;
      const events = await eventsOf(client, name);
      row = rowOf(pod, events);
      const isReached = isOver(pod, row, until) && hasAllStarts(pod, events);
      const current = isReached ? JSON.stringify(row) : "";
      if (current !== text) since = performance.now();
      text = current;
      return isReached && performance.now() - since > quietMs ? row : undefined;
    },
    () => `${JSON.stringify(until)} of the Pod ${name}, not ${JSON.stringify(row, undefined, 1)}`,
  );
}

function isOver(pod: Pod, { events }: PodRow, until: Until): boolean {
  const statuses = statusesOf(pod);
  switch (until.kind) {
    case "end":
      // A busy kubelet reports the phase of a Pod before the ends of its containers, and those before the end of its sandbox.
      return hasEnded(pod) && !hasSandbox(pod) && statuses.every(({ state }) => state?.running === undefined);
    case "ready":
      return pod.status?.conditions?.find(({ type }) => type === "Ready")?.status === "True";
    case "waiting":
      return statuses.some(({ state }) => state?.waiting?.reason === until.reason);
    case "restarted":
      return statuses.some(
        ({ state, lastState }) => state?.running !== undefined && lastState?.terminated !== undefined,
      );
    case "debugged":
      return pod.status?.ephemeralContainerStatuses?.some(({ state }) => state?.[until.state] !== undefined) === true;
    case "event":
    default:
      return (
        statuses.length > 0 &&
        events.some((each) => each.split(/[ :]/u)[1] === until.reason) &&
        // The status of the second run may follow.
        (until.reason !== "BackOff" || statuses.some(({ lastState }) => lastState?.terminated !== undefined))
      );
  }
}

// The events of a busy kubelet are written later than its statuses.
function hasAllStarts(pod: Pod, events: readonly Event[]): boolean {
  const reported = new Set(
    events
      .filter(({ reason }) => reason === "Started" || reason === "Failed")
      .map(({ involvedObject }) => containerOf(involvedObject)),
  );
  return statusesOf(pod)
    .filter(({ state, lastState }) => {
      const isPending = /^(?:ContainerCreating|PodInitializing)$/u.test(state?.waiting?.reason ?? "");
      return pod.status?.startTime !== undefined && (!isPending || lastState?.terminated !== undefined);
    })
    .every(({ name }) => reported.has(name));
}

function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [
    ...(status?.initContainerStatuses ?? []),
    ...(status?.containerStatuses ?? []),
    ...(status?.ephemeralContainerStatuses ?? []),
  ];
}

function hasEnded({ status }: Pod): boolean {
  return status?.phase === "Succeeded" || status?.phase === "Failed";
}

function hasSandbox({ status }: Pod): boolean {
  return status?.conditions?.find(({ type }) => type === "PodReadyToStartContainers")?.status === "True";
}

async function eventsOf(client: LiveClient, name: string): Promise<readonly Event[]> {
  const { items } = await client.list(Event, {
    namespace: NAMESPACE,
    fieldSelector: `involvedObject.name=${name}`,
  } as never);
  // The kubelet may request the token before the caches of the server have the node of the Pod; it repeats the request.
  return items.filter(
    ({ message = "" }) => !message.includes("requested token bound to a pod scheduled on a different node"),
  );
}

function rowOf(pod: Pod, events: readonly Event[]): PodRow {
  const { metadata, status } = pod;
  const stable = (text: string): string => normalized(text, metadata);
  return {
    phase: status?.phase ?? "",
    ...(status?.reason === undefined ? {} : { reason: status.reason }),
    ...(status?.message === undefined ? {} : { message: stable(status.message) }),
    conditions: (status?.conditions ?? []).map((each) => stable(conditionText(each))).toSorted(),
    containers: statusesOf(pod).map((each) => stable(containerText(each))),
    events: [...new Set(events.map((each) => stable(eventText(each))))].toSorted(),
  };
}

function conditionText({ type, status, reason, message }: PodCondition): string {
  return [`${type}=${status}`, reason ?? "", message === undefined ? "" : JSON.stringify(message)].join(" ").trim();
}

function eventText({ type, reason, involvedObject, message }: Event): string {
  return `${[type, reason, containerOf(involvedObject)].join(" ").trim()}: ${message ?? ""}`;
}

// `spec.containers{main}` is the path of the container `main`.
function containerOf({ fieldPath = "" }: ObjectReference): string {
  return /\{(?<name>.+)\}$/u.exec(fieldPath)?.groups?.["name"] ?? "";
}

function containerText({ name, ready, started, state, lastState, resources }: ContainerStatus): string {
  const flags = [ready ? "ready" : "not ready", started === true ? "started" : "not started"];
  const last = stateText(lastState);
  // Between two runs, a kubelet shows the end of the first one and then the wait for the second; when depends on the load of the machine.
  const current = last !== "" && state?.running === undefined ? "restarts" : stateText(state);
  const limits = resources?.limits === undefined ? "" : `, limits ${JSON.stringify(resources.limits)}`;
  return `${name}: ${current}, ${flags.join(", ")}${last === "" ? "" : `, last ${last}`}${limits}`;
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
    .replaceAll(/back-off \S+ restarting/gu, "back-off TIME restarting")
    .replaceAll(/ in \S+ \(\S+ including waiting\)\. Image size: \d+ bytes/gu, " in TIME. Image size: BYTES");
}
