import { findCondition, isConflict, newBadRequest, newForbidden, newNotFound, toTime } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";

import type { VirtualCreate, VirtualResource } from "../pipeline/extension-points.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import { conflict, failure, forbidden } from "../request/failures.ts";
import { ADMIN } from "../request/request-context.ts";
import {
  budgetConditions,
  BUDGETS,
  type BudgetStatus,
  DISRUPTION_ALLOWED,
  DISRUPTION_TARGET,
  selectsPod,
  SYNC_FAILED,
} from "../resources/disruption-budgets.ts";
import type { ApiObject } from "../storage/api-object.ts";

const PODS = { group: "", version: "v1", resource: "pods" } as const;
const VIOLATION = "Cannot evict pod as it would violate the pod's disruption budget.";
const PROCESSING_SECONDS = 10;
const MOST_DISRUPTED_PODS = 2000;
const ATTEMPTS = 20;

/** Answers evictions: deletes a pod unless the budget that selects it forbids it. Admission is asked about the deletion, too, unlike upstream. */
export function podEvictions(context: ServerContext): VirtualResource {
  return {
    ...PODS,
    subresource: "eviction",
    kind: { group: "policy", version: "v1", kind: "Eviction" },
    otherVersions: [{ group: "policy", version: "v1beta1" }],
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
  const eviction: Eviction = { key: { namespace, name }, options, isDryRun };
  const pod = findPod(context, eviction);
  if (isOver(pod)) await deleteUncounted(context, eviction);
  else await deleteCounted(context, eviction, pod);
  return { apiVersion: "v1", kind: "Status", metadata: {}, status: "Success", code: 201 };
}

interface Eviction {
  readonly key: { readonly namespace: string; readonly name: string };
  readonly options: DeleteOptions;
  readonly isDryRun: boolean;
}

interface DeleteOptions {
  readonly dryRun?: readonly string[];
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

function findPod(context: ServerContext, { key }: Eviction): Pod {
  const pod = context.objects.get(PODS, key) as unknown as Pod | undefined;
  if (pod === undefined) throw newNotFound(PODS, key.name);
  return pod;
}

// A pending Pod may become ready meanwhile, and then counts.
async function deleteUncounted(context: ServerContext, eviction: Eviction): Promise<void> {
  const wanted = eviction.options.preconditions?.resourceVersion;
  for (let attempt = 1; ; attempt++) {
    const pod = findPod(context, eviction);
    if (!isOver(pod)) {
      await deleteCounted(context, eviction, pod);
      return;
    }
    const pinned = pod.status?.phase === "Pending" && wanted === undefined ? pod.metadata.resourceVersion : wanted;
    try {
      await deletePod(context, eviction, pinned);
      return;
    } catch (error) {
      const isRepeatable = isConflict(error) && wanted === undefined && attempt < ATTEMPTS;
      if (!isRepeatable) throw error;
    }
  }
}

async function deleteCounted(context: ServerContext, eviction: Eviction, pod: Pod): Promise<void> {
  const wanted = eviction.options.preconditions?.resourceVersion;
  const exempting = spendBudget(context, pod, eviction.isDryRun);
  if (exempting === undefined) {
    await deletePod(context, eviction, wanted);
    return;
  }
  try {
    await deletePod(context, eviction, pod.metadata.resourceVersion);
  } catch (error) {
    // The Pod may have become ready.
    throw isConflict(error) && wanted === undefined ? stillProcessed(exempting) : error;
  }
}

/** Deletes a Pod, if it still has the version where one is given. */
async function deletePod(
  context: ServerContext,
  { key, options, isDryRun }: Eviction,
  resourceVersion: string | undefined,
): Promise<void> {
  const preconditions = { ...options.preconditions, ...(resourceVersion === undefined ? {} : { resourceVersion }) };
  if (!isDryRun) {
    checkPreconditions(context, key, preconditions);
    const marked = addCondition(context, key)?.metadata.resourceVersion;
    if (resourceVersion !== undefined && marked !== undefined) preconditions.resourceVersion = marked;
  }
  const deletion = {
    ...options,
    ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
    ...(isDryRun ? { dryRun: ["All"] } : {}),
  };
  await context.clientFor(ADMIN).delete({ ...PODS, ...key }, deletion);
}

function checkPreconditions(
  context: ServerContext,
  key: Eviction["key"],
  { uid, resourceVersion }: NonNullable<DeleteOptions["preconditions"]>,
): void {
  const { metadata } = context.objects.get(PODS, key) ?? {};
  if (metadata === undefined) throw newNotFound(PODS, key.name);
  const target = { groupResource: { group: "", resource: "Pod" }, name: key.name };
  if (uid !== undefined && uid !== "" && uid !== metadata.uid) {
    throw conflict(
      target,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid ?? ""}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== "" && resourceVersion !== metadata.resourceVersion) {
    throw conflict(
      target,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion ?? ""}). The object might have been modified`,
    );
  }
}

// These do not count as available.
function isOver({ metadata, status }: Pod): boolean {
  return metadata?.deletionTimestamp !== undefined || ["Pending", "Succeeded", "Failed"].includes(status?.phase ?? "");
}

/** Takes a disruption from the budget of a Pod; returns the name of the budget if the Pod may go without one, because it is not ready. */
function spendBudget(context: ServerContext, pod: Pod, isDryRun: boolean): string | undefined {
  const all = context.objects.list(BUDGETS, pod.metadata.namespace) as unknown as readonly PodDisruptionBudget[];
  const budgets = all.filter((each) => selectsPod(each, pod));
  const [budget] = budgets;
  if (budget === undefined) return undefined;
  if (budgets.length > 1) {
    const message = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
    throw failure({ code: 500, message });
  }
  if (!isReady(pod) && mayGoUnready(budget)) return budget.metadata.name ?? "";
  takeFrom(context, { budget, podName: pod.metadata.name ?? "", isDryRun });
  return undefined;
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
  const former: BudgetStatus = { ...NO_STATUS, ...status };
  const { observedGeneration = 0, disruptionsAllowed } = former;
  if (observedGeneration < (metadata.generation ?? 0)) throw stillProcessed(name);
  if (disruptionsAllowed < 0) {
    throw refused(context, name, { reason: NEGATIVE, cause: NEGATIVE });
  }
  if (Object.keys(former.disruptedPods ?? {}).length > MOST_DISRUPTED_PODS) {
    throw refused(context, name, {
      reason: TOO_BIG,
      cause: "too many pending evictions not confirmed by PDB controller",
    });
  }
  if (disruptionsAllowed === 0) throw tooMany(exhaustion(name, former));
  if (isDryRun) return;
  const now = context.clock.now();
  const next: BudgetStatus = {
    ...former,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...former.disruptedPods, [podName]: toTime(now) },
  };
  const changed = disruptionsAllowed === 1 ? { ...next, conditions: budgetConditions(next, now) } : next;
  context.changeStored(BUDGETS, { namespace: metadata.namespace ?? "", name }, (object) => {
    object["status"] = changed;
  });
}

const NO_STATUS: BudgetStatus = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };

function exhaustion(name: string, { conditions, currentHealthy, desiredHealthy }: BudgetStatus): string {
  const condition = findCondition(conditions, DISRUPTION_ALLOWED);
  const explains = condition?.status === "False" && condition.message !== "";
  const forbids = `The disruption budget ${name} does not allow evicting pods currently`;
  if (explains && condition.reason === SYNC_FAILED) return `${forbids} because it failed sync: ${condition.message}`;
  if (currentHealthy <= desiredHealthy)
    return `The disruption budget ${name} needs ${String(desiredHealthy)} healthy pods and has ${String(currentHealthy)} currently`;
  return explains ? `${forbids} (${condition.reason}): ${condition.message}` : forbids;
}

const NEGATIVE = "pdb disruptions allowed is negative";
const TOO_BIG = "DisruptedPods map too big - too many evictions not confirmed by PDB controller";

function refused(
  { release }: ServerContext,
  name: string,
  { reason, cause }: { readonly reason: string; readonly cause: string },
): Error {
  const groupResource = { group: "policy", resource: "poddisruptionbudget" };
  if (!release.since("1.37")) return newForbidden(groupResource, name, reason);
  const message = `The disruption budget ${name} does not allow evicting pods currently: ${cause}`;
  return forbidden({ groupResource, name }, reason, [{ reason: "DisruptionBudget", message }]);
}

function stillProcessed(name: string): Error {
  return tooMany(`The disruption budget ${name} is still being processed by the server.`, PROCESSING_SECONDS);
}

function tooMany(why: string, retryAfterSeconds?: number): Error {
  const details = {
    causes: [{ reason: "DisruptionBudget", message: why }],
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  };
  return failure({ code: 429, reason: "TooManyRequests", message: VIOLATION, details });
}

function addCondition(context: ServerContext, key: Eviction["key"]): ApiObject | undefined {
  const now = toTime(context.clock.now());
  return context.changeStored(PODS, key, (object) => {
    const pod = object as unknown as Pod;
    const former = pod.status?.conditions ?? [];
    const earlier = former.find(({ type }) => type === DISRUPTION_TARGET);
    const since = earlier?.status === "True" ? earlier.lastTransitionTime : undefined;
    const condition = {
      type: DISRUPTION_TARGET,
      status: "True",
      reason: "EvictionByEvictionAPI",
      message: "Eviction API: evicting",
      lastTransitionTime: since ?? now,
    };
    const conditions =
      earlier === undefined ? [...former, condition] : former.map((each) => (each === earlier ? condition : each));
    pod.status = { ...pod.status, conditions };
  });
}

function isReady(pod: Pod): boolean {
  return (pod.status?.conditions ?? []).some(({ type, status }) => type === "Ready" && status === "True");
}
