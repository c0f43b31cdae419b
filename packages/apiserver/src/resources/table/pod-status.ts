import type { MutableJsonObject } from "../../storage/api-object.ts";
import { numberIn, objectIn, objectsIn, textIn } from "../fields.ts";
import { printAge } from "./columns.ts";

/** Status columns of a pod. */
export interface PodSummary {
  readonly ready: string;
  readonly status: string;
  readonly restarts: string;
}

/** Sums up the state of a pod as kubectl shows it. */
export function summarizePod(pod: MutableJsonObject, nowMs: number): PodSummary {
  const containers = objectsIn(objectIn(pod, "spec"), "containers");
  const statuses = objectsIn(objectIn(pod, "status"), "containerStatuses");
  const readyCount = statuses.filter((status) => status["ready"] === true).length;
  return {
    ready: `${readyCount}/${containers.length}`,
    status: statusOf(pod, statuses),
    restarts: restartsOf(statuses, nowMs),
  };
}

function statusOf(pod: MutableJsonObject, statuses: readonly MutableJsonObject[]): string {
  const status = objectIn(pod, "status");
  const initial = initStatus(pod);
  const reason = initial ?? containerReason(statuses) ?? (textIn(status, "reason") || textIn(status, "phase"));
  if (objectIn(pod, "metadata")?.["deletionTimestamp"] === undefined) {
    return reason;
  }
  return textIn(status, "reason") === "NodeLost" ? "Unknown" : isOver(textIn(status, "phase")) ? reason : "Terminating";
}

const isOver = (phase: string): boolean => phase === "Succeeded" || phase === "Failed";

function initStatus(pod: MutableJsonObject): string | undefined {
  const statuses = objectsIn(objectIn(pod, "status"), "initContainerStatuses");
  const total = objectsIn(objectIn(pod, "spec"), "initContainers").length;
  for (const [index, status] of statuses.entries()) {
    const state = objectIn(status, "state");
    const terminated = objectIn(state, "terminated");
    if (terminated !== undefined && (numberIn(terminated, "exitCode") ?? 0) === 0) {
      continue;
    }
    const waiting = textIn(objectIn(state, "waiting"), "reason");
    if (terminated !== undefined) {
      return `Init:${textIn(terminated, "reason") || `ExitCode:${numberIn(terminated, "exitCode") ?? 0}`}`;
    }
    return waiting !== "" && waiting !== "PodInitializing" ? `Init:${waiting}` : `Init:${index}/${total}`;
  }
  return undefined;
}

// The last container decides, as its state is looked at last.
function containerReason(statuses: readonly MutableJsonObject[]): string | undefined {
  let reason: string | undefined;
  for (const status of statuses.toReversed()) {
    const state = objectIn(status, "state");
    const waiting = textIn(objectIn(state, "waiting"), "reason");
    const terminated = objectIn(state, "terminated");
    if (waiting !== "") {
      reason = waiting;
    } else if (terminated !== undefined) {
      reason = textIn(terminated, "reason") || `ExitCode:${numberIn(terminated, "exitCode") ?? 0}`;
    }
  }
  return reason;
}

function restartsOf(statuses: readonly MutableJsonObject[], nowMs: number): string {
  const total = statuses.reduce((sum, status) => sum + (numberIn(status, "restartCount") ?? 0), 0);
  const ends = statuses
    .map((status) => textIn(objectIn(objectIn(status, "lastState"), "terminated"), "finishedAt"))
    .filter((time) => time !== "")
    .sort();
  const last = ends.at(-1);
  return total === 0 || last === undefined ? String(total) : `${total} (${printAge(last, nowMs)} ago)`;
}
