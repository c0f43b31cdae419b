import type { Release } from "@kubescaffold/apiserver/cluster-api";
import type { Pod, PodCondition, PodStatus } from "@kubescaffold/k8s/core/v1";

import { isFinal } from "../controllers/workload/workload-objects.ts";

/** A phase of a pod. */
export type Phase = NonNullable<PodStatus["phase"]>;

/** What the conditions of a pod follow from. */
export interface ConditionSource {
  readonly release: Pick<Release, "since">;
  readonly phase: Phase;
  /** Whether the volumes of the pod are set up, before which it has no sandbox. Default: true. */
  readonly hasSandbox?: boolean;
  /** Whether any container still runs after the end of the others. */
  readonly hasRunning?: boolean;
  /** The names of containers and sidecars that are not ready. */
  readonly unready?: readonly string[];
  /** The names of init containers that have not done their work. */
  readonly uninitialized?: readonly string[];
}

type Verdict = Pick<PodCondition, "status" | "reason" | "message">;

const TRUE: Verdict = { status: "True" };

/** Returns the conditions that a kubelet reports for a pod that has a node. */
export function podConditions(pod: Pod, source: ConditionSource, lastTransitionTime: string): PodCondition[] {
  const containersReady = containerReadiness(source);
  const verdicts = {
    PodReadyToStartContainers: sandboxReadiness(source),
    Initialized: initialization(source),
    Ready: containersReady.status === "True" ? gateReadiness(pod) : containersReady,
    ContainersReady: containersReady,
    PodScheduled: TRUE,
  } as const satisfies Readonly<Record<string, Verdict>>;
  const observedGeneration = pod.metadata.generation ?? 1;
  return Object.entries(verdicts).map(([type, verdict]) => ({
    type: type as keyof typeof verdicts,
    observedGeneration,
    ...verdict,
    lastTransitionTime,
  }));
}

// The sandbox of a pod goes with its containers.
function sandboxReadiness({ release, phase, hasRunning, hasSandbox = true }: ConditionSource): Verdict {
  const hasEnded = isFinal(phase) && hasRunning !== true;
  if (hasSandbox && !hasEnded) return TRUE;
  if (!release.since("1.37")) return { status: "False" };
  const message = hasSandbox ? "pod sandbox is not ready" : "no pod sandbox exists";
  return { status: "False", reason: "PodSandboxNotReady", message };
}

function containerReadiness({ phase, unready = [] }: ConditionSource): Verdict {
  if (phase === "Succeeded") return { status: "False", reason: "PodCompleted" };
  if (phase === "Failed") return { status: "False", reason: "PodFailed" };
  if (unready.length === 0) return TRUE;
  const message = `containers with unready status: [${unready.join(" ")}]`;
  return { status: "False", reason: "ContainersNotReady", message };
}

function initialization({ phase, uninitialized = [] }: ConditionSource): Verdict {
  if (phase === "Succeeded") return { status: "True", reason: "PodCompleted" };
  if (uninitialized.length === 0) return TRUE;
  const message = `containers with incomplete status: [${uninitialized.join(" ")}]`;
  return { status: "False", reason: "ContainersNotInitialized", message };
}

function gateReadiness({ spec, status }: Pod): Verdict {
  const problems = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const found = status?.conditions?.find(({ type }) => type === conditionType);
    if (found === undefined)
      return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    return found.status === "True"
      ? []
      : [`the status of pod readiness gate "${conditionType}" is not "True", but ${found.status}`];
  });
  if (problems.length === 0) return TRUE;
  return { status: "False", reason: "ReadinessGatesNotReady", message: problems.join(", ") };
}

/** Merges reported conditions into those that a pod has: those of others stay, and what does not change keeps its time. */
export function mergedConditions(current: readonly PodCondition[], reported: readonly PodCondition[]): PodCondition[] {
  const others = current.filter(({ type }) => reported.every((condition) => condition.type !== type));
  return [
    ...reported.map((condition) => {
      const former = current.find(({ type }) => type === condition.type);
      const isSame = former?.status === condition.status && typeof former.lastTransitionTime === "string";
      return isSame ? { ...condition, lastTransitionTime: former.lastTransitionTime } : condition;
    }),
    ...others,
  ] as PodCondition[];
}

// `PodScheduled` belongs to both: a kubelet reports it for the pods that it runs.
const OF_KUBELETS: ReadonlySet<string> = new Set([
  "PodReadyToStartContainers",
  "Initialized",
  "Ready",
  "ContainersReady",
  "PodScheduled",
  "PodResizePending",
  "PodResizeInProgress",
  "AllContainersRestarting",
]);

/** Returns the conditions of a pod that stay when its kubelet reports none. */
export function conditionsOfOthers({ status }: Pod): PodCondition[] {
  return (status?.conditions ?? []).filter(({ type }) => !OF_KUBELETS.has(type));
}

/** Reports whether a pod has conditions, but for their times. */
export function hasConditions({ status }: Pod, reported: readonly PodCondition[]): boolean {
  return reported.every((condition) => {
    const former = status?.conditions?.find(({ type }) => type === condition.type);
    return (["status", "reason", "message", "observedGeneration"] as const).every(
      (name) => former?.[name] === condition[name],
    );
  });
}
