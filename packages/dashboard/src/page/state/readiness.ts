import type { ObjectCondition, ObjectSummary } from "../feed/protocol.ts";

/** The health of an object. `none`: its status has no notion of it, as that of a ConfigMap. */
export type Readiness = "ready" | "progressing" | "failed" | "deleting" | "none";

const READY_TYPES: ReadonlySet<string> = new Set([
  "Ready",
  "Available",
  "Established",
  "Complete",
  "Completed",
  "Succeeded",
  "Synced",
]);
const FAILURE_TYPES: ReadonlySet<string> = new Set([
  "Failed",
  "Degraded",
  "Stalled",
  "ReplicaFailure",
  "FailureTarget",
]);
const FAILED_PHASE = /^err|fail|error|backoff|evicted|oomkilled|invalid|lost|unknown/iu;
const PROGRESSING_PHASE =
  /pending|creating|init:|progressing|provisioning|waiting|updating|scaling|notready|suspended/iu;
const READY_PHASE = /^(?:running|active|bound|succeeded|completed?|ready|available|healthy|approved|established)\b/iu;
const REPLICAS = /\b(?<ready>\d+)\/(?<desired>\d+)\b/u;

/** Derives the health of an object from its conditions, then from its phase. */
export function readinessOf(summary: Pick<ObjectSummary, "deletedAt" | "phase" | "conditions">): Readiness {
  if (summary.deletedAt !== undefined) return "deleting";
  const byConditions = readinessByConditions(summary.conditions ?? []);
  const byPhase = readinessByPhase(summary.phase ?? "");
  if (byConditions === "failed" || byPhase === "failed") return "failed";
  if (byConditions === "none") return byPhase;
  // A Deployment that is available may still have replicas that are not.
  if (byConditions === "ready" && byPhase === "progressing") return "progressing";
  // A Pod that completed is not ready, and will not be.
  if (byConditions === "progressing" && /^(?:succeeded|completed?)\b/iu.test(summary.phase ?? "")) return "ready";
  return byConditions;
}

/** Reports whether somebody may have to look at the object. */
export function isNotReady(readiness: Readiness): boolean {
  return readiness === "failed" || readiness === "progressing" || readiness === "deleting";
}

/** Reports whether a condition says something good, something bad, or neither. */
export function conditionTone({ type, status }: ObjectCondition): "good" | "bad" | "neutral" {
  if (FAILURE_TYPES.has(type)) return status === "True" ? "bad" : "neutral";
  if (READY_TYPES.has(type)) return status === "True" ? "good" : "bad";
  if (type.endsWith("Pressure") || type.endsWith("Unavailable")) return status === "True" ? "bad" : "neutral";
  return status === "True" ? "good" : "neutral";
}

function readinessByConditions(conditions: readonly ObjectCondition[]): Readiness {
  if (conditions.some(({ type, status }) => FAILURE_TYPES.has(type) && status === "True")) return "failed";
  const decisive = conditions.filter(({ type }) => READY_TYPES.has(type));
  if (decisive.length === 0) return "none";
  // Ready is the summary of the others where it exists; Jobs have Complete or Failed.
  const ready = decisive.find(({ type }) => type === "Ready");
  if (ready !== undefined) return ready.status === "True" ? "ready" : "progressing";
  return decisive.every(({ status }) => status === "True") ? "ready" : "progressing";
}

function readinessByPhase(phase: string): Readiness {
  if (phase === "") return "none";
  if (FAILED_PHASE.test(phase)) return "failed";
  if (PROGRESSING_PHASE.test(phase)) return "progressing";
  if (/terminating/iu.test(phase)) return "deleting";
  const { ready, desired } = REPLICAS.exec(phase)?.groups ?? {};
  if (ready !== undefined && desired !== undefined) return Number(ready) >= Number(desired) ? "ready" : "progressing";
  return READY_PHASE.test(phase) ? "ready" : "none";
}
