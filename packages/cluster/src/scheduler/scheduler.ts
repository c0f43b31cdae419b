import {
  type ControllerIdentity,
  type InProcessController,
  type KeyedWorker,
  type ServerContext,
  splitKey,
  storeController,
} from "@kubescaffold/apiserver/cluster-api";
import { isConflict, isNotFound, messageOf } from "@kubescaffold/k8s";
import type { Pod } from "@kubescaffold/k8s/core/v1";

import { NODES, PODS, readStored } from "../controllers/workload/workload-objects.ts";
import type { Placement } from "./placement.ts";
import { missingClaim } from "./resource-claims.ts";
import { DEVICE_RESOURCES, isSchedulable, SchedulerState, VOLUME_RESOURCES } from "./scheduler-state.ts";
import { Reporter } from "./scheduling-reports.ts";
import { BIND_TIMEOUT_MS, VolumeBindings } from "./volume-bindings.ts";

const QUEUE = "queue";
const WAITING = "waiting ";
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 10_000;

/**
 * Gives pods a node like kube-scheduler, and says why when none is suitable; they are tried again when nodes or pods change. Volumes that wait for their
 * first consumer are bound before the pod is.
 */
export function createController(context: ServerContext, self: ControllerIdentity): InProcessController {
  const reporter = new Reporter(context, self);
  const volumes = new VolumeBindings(context, context.clientFor(self.user));
  let state = new SchedulerState(context);
  return storeController({
    name: self.name,
    context,
    watches: [PODS, NODES, ...VOLUME_RESOURCES, ...DEVICE_RESOURCES],
    keysOf: (event) => {
      const waiting = volumes.keysFor(event).map((key) => WAITING + key);
      state.observe(event);
      return state.queue.isEmpty ? waiting : [...waiting, QUEUE];
    },
    initialKeys: () => {
      state = new SchedulerState(context);
      state.load();
      return state.queue.isEmpty ? [] : [QUEUE];
    },
    work: async (key, worker) => {
      const work = { context, state, reporter, volumes, worker };
      if (key.startsWith(WAITING)) {
        await continueBinding(work, key.slice(WAITING.length));
        return;
      }
      if (key !== QUEUE) state.retry(key);
      const next = state.queue.take();
      if (next === undefined) return;
      await scheduleNext(work, next);
      if (!state.queue.isEmpty) worker.add(QUEUE);
    },
    onStop: () => {
      volumes.clear();
    },
  });
}

interface SchedulingWork {
  readonly context: ServerContext;
  readonly state: SchedulerState;
  readonly reporter: Reporter;
  readonly volumes: VolumeBindings;
  readonly worker: KeyedWorker;
}

async function scheduleNext(work: SchedulingWork, key: string): Promise<void> {
  const { context, state, reporter } = work;
  const pod = readStored<Pod>(context, PODS, splitKey(key));
  if (pod === undefined || !isSchedulable(pod)) return;
  const missing = missingClaim(pod, state.lookupsFor(pod));
  if (missing !== undefined) {
    state.hold(key, pod);
    await reporter.reportMissingClaim(pod, missing);
    return;
  }
  await tried(work, key, async () => {
    const placement = state.place(pod);
    if (placement.kind === "none") {
      state.keep(key, pod, placement);
      await reporter.reportFailure(pod, placement);
    } else if (placement.volumes.bindings.length + placement.volumes.provisions.length > 0) {
      await startBinding(work, key, { pod, placement });
      return;
    } else {
      await reporter.bind(pod, placement.node);
    }
    state.failures.delete(key);
  });
}

async function startBinding(
  work: SchedulingWork,
  key: string,
  { pod, placement }: { readonly pod: Pod; readonly placement: Extract<Placement, { readonly kind: "node" }> },
): Promise<void> {
  const { context, state, reporter, volumes, worker } = work;
  const { node, volumes: plan } = placement;
  state.assume(key, pod, node);
  const deadline = context.clock.now() + BIND_TIMEOUT_MS;
  const cancelTimer = worker.addAfter(WAITING + key, BIND_TIMEOUT_MS);
  await reporter.nominate(pod, node);
  try {
    await volumes.start(key, { pod, node, plan, deadline, cancelTimer });
    worker.add(WAITING + key);
  } catch (error) {
    await failBinding(work, key, { pod, problem: messageOf(error) });
  }
}

async function continueBinding(work: SchedulingWork, key: string): Promise<void> {
  const { state, reporter, volumes } = work;
  const waiting = volumes.get(key);
  const progress = waiting === undefined ? undefined : volumes.progressOf(key, waiting);
  if (waiting === undefined || progress === undefined || progress.kind === "waiting") return;
  const { pod, node } = waiting;
  if (progress.kind === "failed") {
    await failBinding(work, key, { pod, problem: progress.problem });
    return;
  }
  volumes.forget(key);
  await tried(work, key, async () => {
    await reporter.bind(pod, node);
    state.failures.delete(key);
  });
  state.release(key);
}

async function failBinding(
  work: SchedulingWork,
  key: string,
  { pod, problem }: { readonly pod: Pod; readonly problem: string },
): Promise<void> {
  const { context, state, reporter, volumes } = work;
  volumes.forget(key);
  state.release(key);
  const found = readStored<Pod>(context, PODS, splitKey(key));
  const current = found?.metadata.uid === pod.metadata.uid ? found : undefined;
  const message = `running PreBind plugin "VolumeBinding": ${problem}`;
  await reporter.reportError(current ?? pod, message);
  if (current !== undefined) retryLater(work, key);
}

async function tried(work: SchedulingWork, key: string, attempt: () => Promise<void>): Promise<void> {
  try {
    await attempt();
  } catch (error) {
    // Gone or changed meanwhile: the change leads here again.
    if (!isNotFound(error) && !isConflict(error)) retryLater(work, key);
  }
}

function retryLater({ state, worker }: SchedulingWork, key: string): void {
  const failures = state.failures.get(key) ?? 0;
  state.failures.set(key, failures + 1);
  worker.addAfter(key, Math.min(FIRST_RETRY_MS * 2 ** failures, LONGEST_RETRY_MS));
}
