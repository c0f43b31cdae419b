import { matchesLabelSelector, newBadRequest, newForbidden, newNotFound } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import { toTime } from "../clock/clock.ts";
import type { VirtualCreate, VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { conflict, failure } from "../request/failures.ts";
import { ADMIN } from "../request/request-context.ts";
import type { ApiObject } from "../storage/api-object.ts";

const PODS = { group: "", version: "v1", resource: "pods" } as const;
const BUDGETS = { group: "policy", resource: "poddisruptionbudgets" } as const;
const VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget.";
const PROCESSING_SECONDS = 10;

/** Answers evictions: deletes a pod unless the budget that selects it forbids it. Admission is asked about the deletion, too, unlike upstream. */
export function podEvictions(context: ServerContext): VirtualResource {
  return {
    ...PODS,
    subresource: "eviction",
    kind: { group: "policy", version: "v1", kind: "Eviction" },
    create: (request) => evict(context, request),
  };
}

async function evict(context: ServerContext, request: VirtualCreate): Promise<ApiObject> {
  const { namespace, name, object } = request;
  if ((object.metadata.name ?? "") !== name) {
    throw newBadRequest("name in URL does not match name in Eviction object");
  }
  const options = (object["deleteOptions"] ?? {}) as DeleteOptions;
  const isDryRun = request.isDryRun || (options.dryRun ?? []).length > 0;
  const pod = context.objects.get(PODS, { namespace, name }) as unknown as Pod | undefined;
  if (pod === undefined) throw newNotFound(PODS, name);
  checkUid(pod, options);
  if (!isOver(pod)) spendBudget(context, pod, isDryRun);
  if (!isDryRun) addCondition(context, { namespace, name });
  await context
    .clientFor(ADMIN)
    .delete({ ...PODS, namespace, name }, { ...options, ...(isDryRun ? { dryRun: ["All"] } : {}) });
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 201 };
}

interface DeleteOptions {
  readonly dryRun?: readonly string[];
  readonly preconditions?: { readonly uid?: string };
}

function checkUid({ metadata }: Pod, { preconditions }: DeleteOptions): void {
  const wanted = preconditions?.uid;
  if (wanted === undefined || wanted === metadata?.uid) return;
  throw conflict(
    { groupResource: { group: "", resource: "Pod" }, name: metadata?.name ?? "" },
    `the UID in the precondition (${wanted}) does not match the UID in record (${metadata?.uid ?? ""}). The object might have been deleted and then recreated`,
  );
}

// These do not count as available.
function isOver({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined || ["Pending", "Succeeded", "Failed"].includes(status?.phase ?? "");
}

function spendBudget(context: ServerContext, pod: Pod, isDryRun: boolean): void {
  const budgets = (
    context.objects.list(BUDGETS, pod.metadata?.namespace) as unknown as readonly PodDisruptionBudget[]
  ).filter(
    ({ spec }) => spec?.selector !== undefined && matchesLabelSelector(spec.selector, pod.metadata?.labels ?? {}),
  );
  const [budget] = budgets;
  if (budget === undefined) return;
  if (budgets.length > 1) {
    const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw failure({ code: 500, message });
  }
  if (isReady(pod) || !mayGoUnready(budget)) takeFrom(context, { budget, podName: pod.metadata?.name ?? "", isDryRun });
}

function isReady({ status }: Pod): boolean {
  return (status?.conditions ?? []).some(({ type, status: value }) => type === "Ready" && value === "True");
}

function mayGoUnready({ spec, status }: PodDisruptionBudget): boolean {
  if (spec?.unhealthyPodEvictionPolicy === "AlwaysAllow") return true;
  const { currentHealthy = 0, desiredHealthy = 0 } = status ?? {};
  return currentHealthy >= desiredHealthy && desiredHealthy > 0;
}

function takeFrom(
  context: ServerContext,
  {
    budget,
    podName,
    isDryRun,
  }: { readonly budget: PodDisruptionBudget; readonly podName: string; readonly isDryRun: boolean },
): void {
  const { metadata, status } = budget;
  const name = metadata.name ?? "";
  const { observedGeneration = 0, disruptionsAllowed = 0, desiredHealthy = 0, currentHealthy = 0 } = status ?? {};
  if (observedGeneration < (metadata.generation ?? 0)) {
    throw tooMany(`The disruption budget ${name} is still being processed by the server.`, PROCESSING_SECONDS);
  }
  if (disruptionsAllowed < 0) {
    throw newForbidden(
      { group: "policy", resource: "poddisruptionbudget" },
      name,
      "pdb disruptions allowed is negative",
    );
  }
  if (disruptionsAllowed === 0) {
    throw tooMany(
      `The disruption budget ${name} needs ${String(desiredHealthy)} healthy pods and has ${String(currentHealthy)} currently`,
    );
  }
  if (isDryRun) return;
  const now = toTime(context.clock.now());
  context.changeStored(BUDGETS, { namespace: metadata.namespace ?? "", name }, (object) => {
    const changed = object as unknown as { status: PodDisruptionBudget["status"] };
    changed.status = {
      ...status,
      disruptionsAllowed: disruptionsAllowed - 1,
      disruptedPods: { ...status?.disruptedPods, [podName]: now },
    } as PodDisruptionBudget["status"];
  });
}

function tooMany(why: string, retryAfterSeconds?: number): Error {
  const details = {
    causes: [{ reason: "DisruptionBudget", message: why }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return failure({ code: 429, reason: "TooManyRequests", message: VIOLATION, details });
}

const CONDITION = "DisruptionTarget";

function addCondition(context: ServerContext, key: { readonly namespace: string; readonly name: string }): void {
  const lastTransitionTime = toTime(context.clock.now());
  context.changeStored(PODS, key, (object) => {
    const pod = object as unknown as Pod;
    const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== CONDITION);
    const condition = {
      type: CONDITION,
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
      lastTransitionTime,
    };
    pod.status = { ...pod.status, conditions: [...others, condition] };
  });
}
