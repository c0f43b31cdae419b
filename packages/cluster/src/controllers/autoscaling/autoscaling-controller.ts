import {
  type ControllerIdentity,
  type InProcessController,
  type InternalClient,
  type KeyedWorker,
  keyOf,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isNotFound, labelMatcher, objectKey, parseLabelSelector, StatusError, toTime } from "@kubescaffold/k8s";
import type { HorizontalPodAutoscaler, MetricStatus } from "@kubescaffold/k8s/autoscaling/v2";
import type { Pod } from "@kubescaffold/k8s/core/v1";
import { deepEqual } from "@kubescaffold/schema/values";

import { eventWriter, type EventWriter } from "../workload/event-writer.ts";
import { PODS, readStored } from "../workload/workload-objects.ts";
import { type AutoscalerConditions, autoscalerConditions } from "./autoscaler-conditions.ts";
import { AUTOSCALERS } from "./autoscaling-resources.ts";
import type { MetricStore } from "./cluster-metrics.ts";
import { combineMetrics, type CombinedMetrics } from "./combined-metrics.ts";
import { findTarget, scaleTarget, type ScaleTarget } from "./scale-target.ts";
import { forgetScaling, isOffAtZero, minimumOf, noteScaling } from "./scale-to-zero.ts";
import { boundScaling, rememberScaling, type ScalingMemory, type ScalingRequest } from "./stabilization.ts";

const SYNC_MS = 15_000;

/** Scales the targets of HorizontalPodAutoscalers by the metrics of a cluster, every 15 seconds. */
export function createController(
  context: ServerContext,
  self: ControllerIdentity,
  { metrics }: { readonly metrics: MetricStore },
): InProcessController {
  const work: AutoscalingWork = {
    context,
    client: context.clientFor(self.user),
    events: eventWriter(context, self.user, self.name),
    metrics,
    memories: new Map(),
    selectors: new Map(),
  };
  const forget = (key: string): void => {
    work.memories.get(key)?.cancel();
    work.memories.delete(key);
    work.selectors.delete(key);
  };
  return storeController({
    name: self.name,
    context,
    watches: [AUTOSCALERS],
    keysOf: ({ object, kind, previous }) => {
      const key = keyOf(objectKey(object));
      if (kind === "deleted") forget(key);
      const isChanged =
        kind === "modified" &&
        context.release.isEnabled("HPAGeneration") &&
        object.metadata.generation !== previous?.metadata.generation;
      return kind === "added" || isChanged ? [key] : [];
    },
    initialKeys: () => context.objects.list(AUTOSCALERS).map((autoscaler) => keyOf(objectKey(autoscaler))),
    work: async (key, worker) => await look(work, key, worker),
    onStop: () => {
      work.memories.clear();
      work.selectors.clear();
    },
  });
}

interface AutoscalingWork {
  readonly context: ServerContext;
  readonly client: InternalClient;
  readonly events: EventWriter;
  readonly metrics: MetricStore;
  readonly memories: Map<string, ScalingMemory>;
  /** The selectors of the targets that were scaled last. */
  readonly selectors: Map<string, string>;
}

// Before 1.37, the first look is one period after the creation, too. Comparing times would lose a look when the clock is set back.
async function look(work: AutoscalingWork, key: string, worker: KeyedWorker): Promise<void> {
  const autoscaler = readStored<HorizontalPodAutoscaler>(work.context, AUTOSCALERS, splitKey(key));
  if (autoscaler === undefined) return;
  const known = work.memories.get(key);
  known?.cancel();
  const cancel = worker.addAfter(key, SYNC_MS);
  const memory = known ?? { cancel, recommendations: [], increases: [], decreases: [] };
  memory.cancel = cancel;
  work.memories.set(key, memory);
  if (known === undefined && !work.context.release.since("1.37")) return;
  await new Sync(work, key, autoscaler, memory).run();
}

/** One look at the target of an autoscaler. */
class Sync {
  readonly #work: AutoscalingWork;
  readonly #key: string;
  readonly #autoscaler: HorizontalPodAutoscaler;
  readonly #memory: ScalingMemory;
  readonly #conditions: AutoscalerConditions;
  readonly #now: number;

  constructor(work: AutoscalingWork, key: string, autoscaler: HorizontalPodAutoscaler, memory: ScalingMemory) {
    this.#work = work;
    this.#key = key;
    this.#autoscaler = autoscaler;
    this.#memory = memory;
    this.#now = work.context.clock.now();
    this.#conditions = autoscalerConditions(autoscaler.status?.conditions, this.#now);
  }

  async run(): Promise<void> {
    const reference = this.#autoscaler.spec?.scaleTargetRef;
    const { namespace = "" } = this.#autoscaler.metadata;
    if (reference === undefined) return;
    const target = await findTarget(this.#work.context, this.#work.client, { ...reference, namespace });
    if (target.kind === "failed") {
      const { message } = target;
      await this.#warn("FailedGetScale", message);
      this.#conditions.set("AbleToScale", "False", {
        reason: "FailedGetScale",
        message: `the HPA controller was unable to get the target's current scale: ${message}`,
      });
      await this.#writeStatus({});
      return;
    }
    this.#conditions.set("AbleToScale", "True", {
      reason: "SucceededGetScale",
      message: "the HPA controller was able to get the target's current scale",
    });
    await this.#scale(target.found);
  }

  async #scale(target: ScaleTarget): Promise<void> {
    const { release } = this.#work.context;
    const { maxReplicas = 1 } = this.#autoscaler.spec ?? {};
    const minReplicas = minimumOf(this.#autoscaler);
    const currentReplicas = target.replicas;
    if (this.#memory.recommendations.length === 0)
      this.#memory.recommendations = [{ replicas: currentReplicas, at: this.#now }];
    if (currentReplicas === 0 && isOffAtZero(release, this.#autoscaler)) {
      forgetScaling(release, this.#conditions);
      this.#conditions.set("ScalingActive", "False", {
        reason: "ScalingDisabled",
        message: "scaling is disabled since the replica count of the target is zero",
      });
      await this.#keep(currentReplicas, null);
    } else if (currentReplicas === 0) {
      await this.#followMetrics(target);
    } else if (currentReplicas > maxReplicas) {
      const reason = "Current number of replicas above Spec.MaxReplicas";
      await this.#rescale(target, { replicas: maxReplicas, reason, statuses: null });
    } else if (currentReplicas < minReplicas) {
      const reason = "Current number of replicas below Spec.MinReplicas";
      await this.#rescale(target, { replicas: minReplicas, reason, statuses: null });
    } else {
      await this.#followMetrics(target);
    }
  }

  async #followMetrics(target: ScaleTarget): Promise<void> {
    const currentReplicas = target.replicas;
    const pods = await this.#podsOf(target);
    const combined = pods === undefined ? undefined : await this.#combine(target, pods);
    if (combined === undefined || combined.replicas === undefined) {
      const former = this.#autoscaler.status?.desiredReplicas ?? 0;
      await this.#writeStatus({ currentReplicas, desiredReplicas: former, currentMetrics: combined?.statuses ?? null });
      await this.#warn("FailedComputeMetricsReplicas", combined?.message ?? this.#selectorProblem);
      return;
    }
    const { replicas: desiredReplicas, name, statuses } = combined;
    const bounded = boundScaling(this.#memory, this.#request(currentReplicas, desiredReplicas));
    this.#conditions.set("AbleToScale", bounded.ableToScale.status, bounded.ableToScale);
    this.#conditions.set("ScalingLimited", bounded.scalingLimited.status, bounded.scalingLimited);
    if (bounded.replicas === currentReplicas) {
      await this.#keep(currentReplicas, statuses);
      return;
    }
    const above = desiredReplicas > currentReplicas ? `${name} above target` : "";
    const reason = desiredReplicas < currentReplicas ? "All metrics below target" : above;
    await this.#rescale(target, { replicas: bounded.replicas, reason, statuses });
  }

  #request(currentReplicas: number, desiredReplicas: number): ScalingRequest {
    const { minReplicas = 1, maxReplicas = 1, behavior } = this.#autoscaler.spec ?? {};
    return { currentReplicas, desiredReplicas, minReplicas, maxReplicas, behavior, now: this.#now };
  }

  #selectorProblem = "";

  // The pods that the target selects, unless other autoscalers scale them, too.
  async #podsOf({ selector }: ScaleTarget): Promise<readonly Pod[] | undefined> {
    if (selector === "") {
      this.#selectorProblem = "selector is required";
      const message = "the HPA target's scale is missing a selector";
      await this.#warn("SelectorRequired", this.#selectorProblem);
      this.#conditions.set("ScalingActive", "False", { reason: "InvalidSelector", message });
      return undefined;
    }
    const { selectors, context } = this.#work;
    const { namespace = "" } = this.#autoscaler.metadata;
    selectors.set(this.#key, selector);
    const all = context.objects.list(PODS, namespace) as unknown as readonly Pod[];
    const pods = podsSelected(all, selector);
    const others = [...selectors].filter(
      ([key, other]) => splitKey(key).namespace === namespace && podsSelected(pods, other).length > 0,
    );
    if (others.length <= 1) return pods;
    const keys = others.map(([key]) => key).toSorted();
    const found = this.#work.context.release.since("1.37")
      ? `more than one HPA (e.g. [${keys.slice(0, 2).join(" ")}])`
      : `multiple HPAs: [${keys.join(" ")}]`;
    const message = `pods by selector ${selector} are controlled by ${found}`;
    this.#selectorProblem = message;
    await this.#warn("AmbiguousSelector", message);
    this.#conditions.set("ScalingActive", "False", { reason: "AmbiguousSelector", message });
    return undefined;
  }

  async #combine(target: ScaleTarget, pods: readonly Pod[]): Promise<CombinedMetrics> {
    const { namespace = "" } = this.#autoscaler.metadata;
    const combined = combineMetrics(this.#autoscaler, {
      release: this.#work.context.release,
      metrics: this.#work.metrics,
      namespace,
      pods,
      currentReplicas: target.replicas,
      statusReplicas: target.statusReplicas,
      now: this.#now,
    });
    for (const { reason, message } of combined.failures) await this.#warn(reason, message);
    this.#conditions.set("ScalingActive", combined.verdict.status, combined.verdict);
    return combined;
  }

  async #rescale(
    target: ScaleTarget,
    { replicas, reason, statuses }: { readonly replicas: number; readonly reason: string; readonly statuses: Statuses },
  ): Promise<void> {
    const currentReplicas = target.replicas;
    try {
      await scaleTarget(this.#work.client, target, replicas);
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      const { message } = error;
      await this.#warn("FailedRescale", `New size: ${String(replicas)}; reason: ${reason}; error: ${message}`);
      this.#conditions.set("AbleToScale", "False", {
        reason: "FailedUpdateScale",
        message: `the HPA controller was unable to update the target scale: ${message}`,
      });
      const desiredReplicas = this.#autoscaler.status?.desiredReplicas ?? 0;
      await this.#writeStatus({ currentReplicas, desiredReplicas, currentMetrics: statuses });
      return;
    }
    this.#conditions.set("AbleToScale", "True", {
      reason: "SucceededRescale",
      message: `the HPA controller was able to update the target scale to ${String(replicas)}`,
    });
    const message = `New size: ${String(replicas)}; reason: ${reason}`;
    await this.#work.events.write(this.#autoscaler, { type: "Normal", reason: "SuccessfulRescale", message });
    rememberScaling(this.#memory, this.#request(currentReplicas, replicas), replicas);
    const { release } = this.#work.context;
    noteScaling(release, this.#autoscaler, { conditions: this.#conditions, from: currentReplicas, to: replicas });
    const lastScaleTime = toTime(this.#now);
    await this.#writeStatus({ currentReplicas, desiredReplicas: replicas, currentMetrics: statuses, lastScaleTime });
  }

  async #keep(replicas: number, currentMetrics: Statuses): Promise<void> {
    await this.#writeStatus({ currentReplicas: replicas, desiredReplicas: replicas, currentMetrics });
  }

  async #warn(reason: string, message: string): Promise<void> {
    await this.#work.events.write(this.#autoscaler, { type: "Warning", reason, message });
  }

  async #writeStatus(changes: StatusChanges): Promise<void> {
    const { status: former, metadata } = this.#autoscaler;
    const isObserved = "currentReplicas" in changes && this.#work.context.release.isEnabled("HPAGeneration");
    const { currentReplicas, ...merged } = {
      currentMetrics: null,
      desiredReplicas: 0,
      ...former,
      ...changes,
      ...(isObserved ? { observedGeneration: metadata.generation ?? 1 } : {}),
      conditions: this.#conditions.list(),
    };
    // Go omits zero.
    const status = {
      ...merged,
      ...(currentReplicas === undefined || currentReplicas === 0 ? {} : { currentReplicas }),
    };
    if (deepEqual(former, status)) return;
    const target = { ...AUTOSCALERS, ...objectKey(this.#autoscaler), subresource: "status" };
    try {
      await this.#work.client.update(target, { ...this.#autoscaler, status } as never);
    } catch (error) {
      if (!(error instanceof StatusError) || isNotFound(error)) throw error;
      await this.#warn("FailedUpdateStatus", error.message);
    }
  }
}

type Statuses = readonly MetricStatus[] | null;

interface StatusChanges {
  readonly currentReplicas?: number;
  readonly desiredReplicas?: number;
  readonly currentMetrics?: Statuses;
  readonly lastScaleTime?: string;
}

function podsSelected(pods: readonly Pod[], selector: string): readonly Pod[] {
  const isMatch = labelMatcher(parseLabelSelector(selector));
  return pods.filter(({ metadata }) => isMatch(metadata.labels));
}
