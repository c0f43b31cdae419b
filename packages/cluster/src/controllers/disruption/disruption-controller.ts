import {
  budgetConditions,
  BUDGETS,
  type BudgetStatus,
  type ControllerIdentity,
  DISRUPTION_ALLOWED,
  DISRUPTION_TARGET,
  type InProcessController,
  type InternalClient,
  isDisruptionTarget,
  type KeyedWorker,
  keyOf,
  selectsPod,
  type ServerContext,
  splitKey,
  storeController,
  type StoreEvent,
  SYNC_FAILED,
  storedSelectorMatcher,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, objectKey, SelectorError, setCondition, toTime } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import type { PodDisruptionBudget } from "@kubescaffold/k8s/policy/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { selectorText } from "../selector-text.ts";
import { eventWriter, type EventWriter } from "../workload/event-writer.ts";
import { isActive, isReady, PODS, readStored } from "../workload/workload-objects.ts";
import { expectPods } from "./expected-pods.ts";

// How long an evicted Pod may take to be deleted, and a Pod may be about to be deleted.
const DELETION_TIMEOUT_MS = 2 * 60_000;
const POD_PREFIX = "pod ";

/** Writes to the status of PodDisruptionBudgets how many of their Pods may be evicted. */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const work: DisruptionWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, "controllermanager"),
  };
  return storeController({
    name: self.name,
    context,
    watches: [BUDGETS, PODS],
    keysOf: (event) => keysOf(context, event),
    initialKeys: () => [
      ...context.objects.list(BUDGETS).map((budget) => keyOf(objectKey(budget))),
      ...context.objects.list(PODS).map((pod) => podKey(pod)),
    ],
    work: async (key, worker) => {
      if (key.startsWith(POD_PREFIX)) await syncPod(work, key, worker);
      else await syncBudget(work, key, worker);
    },
  });
}

interface DisruptionWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
}

function keysOf(context: ServerContext, { groupResource, object, kind }: StoreEvent): readonly string[] {
  if (groupResource.resource !== PODS.resource) return [keyOf(objectKey(object))];
  const budgets = budgetsOf(context, object).map((budget) => keyOf(objectKey(budget)));
  const isChecked = kind !== "deleted" && (budgets.length > 1 || isDisruptionTarget(object));
  return isChecked ? [...budgets, podKey(object)] : budgets;
}

function podKey(pod: Pod): string {
  return `${POD_PREFIX}${keyOf(objectKey(pod))}`;
}

function budgetsOf({ objects }: ServerContext, { metadata }: Pod): readonly PodDisruptionBudget[] {
  const budgets = objects.list(BUDGETS, metadata.namespace) as unknown as readonly PodDisruptionBudget[];
  return budgets.filter((budget) => selectsPod(budget, { metadata }));
}

async function syncBudget(work: DisruptionWork, key: string, worker: KeyedWorker): Promise<void> {
  const budget = readStored<PodDisruptionBudget>(work.context, BUDGETS, splitKey(key));
  if (budget === undefined) return;
  const pods = podsOf(work.context, budget);
  if (pods instanceof SelectorError) {
    await reportFailure(work, budget, { reason: "NoPods", text: "Failed to get pods", cause: pods.message });
    return;
  }
  if (pods.length === 0)
    await work.events.write(budget, { type: "Normal", reason: "NoPods", message: "No matching pods found" });
  const expected = await expectPods(work, budget, pods);
  if (expected.kind === "unknown") {
    const text = "Failed to calculate the number of expected pods";
    await reportFailure(work, budget, { reason: "CalculateExpectedPodCountFailed", text, cause: expected.message });
    return;
  }
  if (expected.hasUnmanagedPods) await reportUnmanagedPods(work, budget);
  const disrupted = await checkDisruptedPods(work, budget, pods);
  const { expectedPods, desiredHealthy } = expected;
  const currentHealthy = pods.filter((pod) => isHealthy(pod, disrupted.pods)).length;
  const disruptionsAllowed = expectedPods <= 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy);
  const counts = { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed };
  await writeStatus(work, budget, nextStatus(work.context, budget, { ...counts, disruptedPods: disrupted.pods }));
  if (disrupted.nextCheckMs !== undefined) worker.addAfter(key, disrupted.nextCheckMs);
}

function podsOf({ objects }: ServerContext, { metadata, spec }: PodDisruptionBudget): readonly Pod[] | SelectorError {
  const pods = objects.list(PODS, metadata.namespace) as unknown as readonly Pod[];
  try {
    const isMatch = storedSelectorMatcher(spec?.selector);
    return pods.filter((pod) => isMatch(pod.metadata.labels));
  } catch (error) {
    if (error instanceof SelectorError) return error;
    throw error;
  }
}

async function reportFailure(
  work: DisruptionWork,
  budget: PodDisruptionBudget,
  { reason, text, cause }: { readonly reason: string; readonly text: string; readonly cause: string },
): Promise<void> {
  await work.events.write(budget, { type: "Warning", reason, message: `${text}: ${cause}` });
  await writeStatus(work, budget, failedStatus(work.context, budget, cause));
}

async function reportUnmanagedPods({ events }: DisruptionWork, budget: PodDisruptionBudget): Promise<void> {
  const message =
    `Pods selected by this PodDisruptionBudget (selector: ${selectorText(budget.spec?.selector)}) were found ` +
    "to be unmanaged. As a result, the status of the PDB cannot be calculated correctly, which may result in undefined behavior. " +
    'To account for these pods please set ".spec.minAvailable" field of the PDB to an integer value.';
  await events.write(budget, { type: "Warning", reason: "UnmanagedPods", message });
}

type DisruptedPods = NonNullable<BudgetStatus["disruptedPods"]>;

// Evictions name the Pods that they delete; they count until they are deleted, or too much time has passed.
async function checkDisruptedPods(
  { context, events }: DisruptionWork,
  { metadata, status }: PodDisruptionBudget,
  pods: readonly Pod[],
): Promise<{ readonly pods: DisruptedPods; readonly nextCheckMs: number | undefined }> {
  const now = context.clock.now();
  const former = status?.disruptedPods ?? {};
  const kept: Record<string, string> = {};
  const delays: number[] = [];
  for (const pod of pods) {
    const { name = "", deletionTimestamp } = pod.metadata;
    const since = Object.hasOwn(former, name) ? former[name] : undefined;
    if (since === undefined || deletionTimestamp !== undefined) continue;
    const remainingMs = Date.parse(since) + DELETION_TIMEOUT_MS - now;
    if (remainingMs > 0) {
      kept[name] = since;
      delays.push(remainingMs);
      continue;
    }
    // As in kube-controller-manager, the namespace takes the place of the name.
    const { namespace = "" } = metadata;
    const message = `Pod was expected by PDB ${namespace}/${namespace} to be deleted but it wasn't`;
    await events.write(pod, { type: "Warning", reason: "NotDeleted", message });
  }
  return { pods: kept, nextCheckMs: delays.length === 0 ? undefined : Math.min(...delays) };
}

function isHealthy(pod: Pod, disrupted: DisruptedPods): boolean {
  const { name = "", deletionTimestamp } = pod.metadata;
  return deletionTimestamp === undefined && !Object.hasOwn(disrupted, name) && isReady(pod);
}

function nextStatus(
  { clock }: ServerContext,
  { metadata, status }: PodDisruptionBudget,
  {
    disruptedPods,
    ...counts
  }: Omit<BudgetStatus, "conditions" | "observedGeneration" | "disruptedPods"> & {
    readonly disruptedPods: DisruptedPods;
  },
): BudgetStatus {
  const next: BudgetStatus = {
    ...counts,
    observedGeneration: metadata.generation ?? 0,
    ...(Object.keys(disruptedPods).length === 0 ? {} : { disruptedPods }),
    ...(status?.conditions === undefined ? {} : { conditions: status.conditions }),
  };
  return { ...next, conditions: budgetConditions(next, clock.now()) };
}

// Without a valid count, nothing may be evicted.
function failedStatus({ clock }: ServerContext, { status }: PodDisruptionBudget, message: string): BudgetStatus {
  const former: BudgetStatus = {
    currentHealthy: 0,
    desiredHealthy: 0,
    expectedPods: 0,
    ...status,
    disruptionsAllowed: 0,
  };
  const { conditions } = setCondition(
    former.conditions,
    {
      type: DISRUPTION_ALLOWED,
      status: "False",
      reason: SYNC_FAILED,
      message,
      observedGeneration: former.observedGeneration,
    },
    new Date(clock.now()),
  );
  return { ...former, conditions };
}

async function writeStatus(
  { client }: DisruptionWork,
  budget: PodDisruptionBudget,
  status: BudgetStatus,
): Promise<void> {
  if (deepEqual(budget.status, status)) return;
  try {
    await client.update({ ...BUDGETS, ...objectKey(budget), subresource: "status" }, { ...budget, status } as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

async function syncPod(work: DisruptionWork, key: string, worker: KeyedWorker): Promise<void> {
  const { context, client, events } = work;
  const target = splitKey(key.slice(POD_PREFIX.length));
  const pod = readStored<Pod>(context, PODS, target);
  if (pod === undefined) return;
  const budgets = budgetsOf(context, pod);
  if (budgets.length > 1) {
    const chosen = JSON.stringify(budgets[0]?.metadata.name);
    const [namespace, name] = [JSON.stringify(target.namespace), JSON.stringify(target.name)];
    const message = `Pod ${namespace}/${name} matches multiple PodDisruptionBudgets.  Chose ${chosen} arbitrarily.`;
    await events.write(pod, { type: "Warning", reason: "MultiplePodDisruptionBudgets", message });
  }
  const remainingMs = untilStaleMs(pod, context.clock.now());
  if (remainingMs === undefined) return;
  if (remainingMs > 0) {
    worker.addAfter(key, remainingMs);
    return;
  }
  const reset = {
    type: DISRUPTION_TARGET,
    status: "False",
    lastTransitionTime: toTime(context.clock.now()),
    ...(pod.metadata.generation === undefined ? {} : { observedGeneration: pod.metadata.generation }),
  };
  const conditions = (pod.status?.conditions ?? []).map((each) => (each.type === DISRUPTION_TARGET ? reset : each));
  const changed = { ...pod, status: { ...pod.status, conditions } };
  try {
    await client.update({ ...PODS, ...target, subresource: "status" }, changed as never);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

// Kubelets may take any time to delete a Pod that they mark.
function untilStaleMs(pod: Pod, now: number): number | undefined {
  const condition = pod.status?.conditions?.find(({ type }) => type === DISRUPTION_TARGET);
  if (!isActive(pod)) return undefined;
  if (condition?.status !== "True" || condition.reason === "TerminationByKubelet") return undefined;
  const since = Date.parse(condition.lastTransitionTime ?? "");
  return Number.isNaN(since) ? 0 : Math.max(0, since + DELETION_TIMEOUT_MS - now);
}
