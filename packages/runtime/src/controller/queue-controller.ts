import { randomUUID } from "node:crypto";

import { type GroupVersionKind, isConflict, messageOf, readableError } from "@kubescaffold/k8s";
import { type Clock, onAbort } from "@kubescaffold/platform/clock";

import { frozenFields } from "../client/editable.ts";
import { withCallScope, withoutCallScope } from "../log/call-scope.ts";
import type { Logger } from "../log/logger.ts";
import type { Runnable } from "../manager/runnable.ts";
import { controllerMetrics, type ControllerSeries, controllerSeries } from "../metrics/controller-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { ControllerSampled, Observer, ReconcileTrigger } from "../observe/observer.ts";
import { startSampling } from "../observe/sampling.ts";
import { isProgrammingError } from "../reconcile/programming-error.ts";
import {
  isTerminalError,
  type ReconcileAnswer,
  type ReconcileContext,
  type Reconciler,
  ReconcileTimeoutError,
  type Request,
  type Result,
} from "../reconcile/reconcile.ts";
import { checkedResult } from "../reconcile/returned-value.ts";
import type { Source } from "../source/source.ts";
import { inSpan, type OpenSpan } from "../tracing/spans.ts";
import { type AddOptions, isPriorityQueue, type PrioritizedItem, type RateLimitingQueue } from "../workqueue/queue.ts";
import { routedQueue } from "../workqueue/routed-queue.ts";
import { ControllerStartedTwiceError } from "./errors.ts";
import {
  endReconcileSpan,
  LazyLogger,
  type ObservedReconcile,
  observeReconcile,
  startReconcileSpan,
  Triggers,
} from "./reconcile-report.ts";
import { startSource } from "./source-start.ts";

/**
 * Passes requests from sources to a reconciler, each request to one worker at a time.
 *
 * controller-runtime: pkg/controller.Controller
 */
export interface Controller<R = Request> extends Runnable, Reconciler<R> {
  /** The name of the controller. */
  readonly name: string;
  /** Adds a source; it starts immediately if the controller runs. */
  watch(source: Source<R>): Promise<void>;
  /** Returns the logger of the controller. */
  getLogger(): Logger;
  /** Reports whether only the leader runs the controller. */
  needLeaderElection(): boolean;
}

/** The settings of a controller after all defaults are applied. */
export interface QueueControllerOptions<R> {
  readonly name: string;
  readonly reconciler: Reconciler<R>;
  readonly clock: Clock;
  readonly registry: MetricsRegistry;
  readonly maxConcurrentReconciles: number;
  readonly cacheSyncTimeoutMs: number;
  readonly recoverPanic: boolean;
  readonly needLeaderElection: boolean;
  readonly enableWarmup: boolean;
  /** 0 means no limit. */
  readonly reconciliationTimeoutMs: number;
  readonly kind: GroupVersionKind | undefined;
  /** Returns the source of random numbers for a reconcile of a request. Default: `Math.random`. */
  readonly randomOf: ((request: R) => () => number) | undefined;
  readonly observer: Observer | undefined;
  readonly newQueue: () => RateLimitingQueue<R>;
  /** Default: all requests. */
  readonly accepts: ((request: R) => boolean) | undefined;
  readonly logConstructor: (request: R | undefined) => Logger;
}

// controller-runtime writes the outcome of each reconcile at this verbosity, too.
const OUTCOME_VERBOSITY = 5;

// Synchronous reconcilers would starve timers, probes, and watches.
const RUNS_PER_TURN = 64;
const LONGEST_TURN_MS = 10;

/** Takes requests from a queue that its sources fill. */
export class QueueController<R> implements Controller<R> {
  readonly name: string;
  readonly runnableName: string;
  readonly warmup?: (signal: AbortSignal) => Promise<void>;
  readonly #options: QueueControllerOptions<R>;
  readonly #series: ControllerSeries;
  readonly #log: Logger;
  readonly #sources: Source<R>[] = [];
  #queue: RateLimitingQueue<R> | undefined;
  #triggers: Triggers<R> | undefined;
  #sourcesStarted: Promise<void> | undefined;
  #signal: AbortSignal | undefined;
  #hasStarted = false;
  #runs = 0;

  constructor(options: QueueControllerOptions<R>) {
    this.name = options.name;
    this.runnableName = `controller ${options.name}`;
    this.#options = options;
    this.#log = options.logConstructor(undefined);
    const metrics = controllerMetrics(options.registry);
    this.#series = controllerSeries(metrics, options.name);
    metrics.maxConcurrentReconciles.set({ controller: options.name }, options.maxConcurrentReconciles);
    if (options.enableWarmup && options.needLeaderElection) {
      this.warmup = async (signal) => await this.#startSources(signal);
    }
  }

  getLogger(): Logger {
    return this.#log;
  }

  needLeaderElection(): boolean {
    return this.#options.needLeaderElection;
  }

  async reconcile(request: R, context: ReconcileContext): Promise<ReconcileAnswer> {
    return await this.#options.reconciler.reconcile(request, context);
  }

  async watch(source: Source<R>): Promise<void> {
    if (this.#signal === undefined) {
      this.#sources.push(source);
    } else {
      // The source outlives the reconcile that adds it.
      const signal = this.#signal;
      await withoutCallScope(async () => await this.#startSource(source, signal));
    }
  }

  async start(signal: AbortSignal): Promise<void> {
    if (this.#hasStarted) {
      throw new ControllerStartedTwiceError(this.name);
    }
    this.#hasStarted = true;
    try {
      await this.#startSources(signal);
      if (!signal.aborted) {
        await this.#work(signal);
      }
    } finally {
      this.#queue?.shutDown();
    }
    this.#log.info("all workers finished");
  }

  // The sources start once, with the warm-up or the start, whichever comes first.
  async #startSources(signal: AbortSignal): Promise<void> {
    if (this.#sourcesStarted === undefined) {
      const queue = this.#options.newQueue();
      this.#queue = queue;
      this.#triggers = this.#options.observer === undefined ? undefined : new Triggers(queue);
      this.#signal = signal;
      onAbort(signal, () => queue.shutDown());
      this.#sourcesStarted = this.#startAll(this.#sources.splice(0), signal);
    }
    await this.#sourcesStarted;
  }

  async #startAll(sources: readonly Source<R>[], signal: AbortSignal): Promise<void> {
    await Promise.all(sources.map(async (source) => await this.#startSource(source, signal)));
  }

  async #startSource(source: Source<R>, signal: AbortSignal): Promise<void> {
    const { clock, cacheSyncTimeoutMs, accepts } = this.#options;
    const own = this.#queue;
    if (own !== undefined) {
      this.#log.info("starting event source", { source: source.describe?.() ?? "source" });
      const queue = accepts === undefined ? own : routedQueue(own, (item) => (accepts(item) ? own : undefined));
      const triggers = this.#triggers;
      const context = {
        queue,
        signal,
        clock,
        log: this.#log,
        ...(triggers === undefined
          ? {}
          : { queueOf: (trigger: ReconcileTrigger) => triggers.ofEvent(own, trigger, accepts) }),
      };
      await startSource({ source, context, controller: this.name, timeoutMs: cacheSyncTimeoutMs });
    }
  }

  async #work(signal: AbortSignal): Promise<void> {
    const { maxConcurrentReconciles } = this.#options;
    const queue = this.#queue;
    if (queue === undefined) {
      return;
    }
    this.#log.info("starting workers", { workers: maxConcurrentReconciles });
    const stopping = new AbortController();
    this.#startSampling(queue, stopping.signal);
    const forgetSignal = onAbort(signal, () => stopping.abort(signal.reason));
    const stopQueue = onAbort(stopping.signal, () => queue.shutDown());
    const workers = Array.from(
      { length: maxConcurrentReconciles },
      async () => await this.#runWorker(queue, stopping.signal),
    );
    try {
      await Promise.all(workers);
    } catch (error) {
      // The caches and connections of the other workers stay until they have ended.
      stopping.abort(error);
      await Promise.allSettled(workers);
      throw error;
    } finally {
      stopQueue();
      forgetSignal();
    }
  }

  #startSampling(queue: RateLimitingQueue<R>, signal: AbortSignal): void {
    const { observer, clock, maxConcurrentReconciles: maxWorkers } = this.#options;
    if (observer === undefined) return;
    const { results, errors, activeWorkers } = this.#series;
    const read = (): Omit<ControllerSampled, "at"> => ({
      kind: "controller",
      controller: this.name,
      queueDepth: queue.length,
      activeWorkers: activeWorkers.value,
      maxWorkers,
      reconciles: Object.values(results).reduce((sum, { value }) => sum + value, 0),
      errors: errors.value,
    });
    startSampling(observer, read, { clock, signal });
  }

  async #runWorker(queue: RateLimitingQueue<R>, signal: AbortSignal): Promise<void> {
    const outcomeLog = this.#log.v(OUTCOME_VERBOSITY);
    const controller = {
      ...this.#options,
      series: this.#series,
      queue,
      log: this.#log,
      outcomeLog,
      triggers: this.#triggers,
    };
    const { clock } = this.#options;
    let turnStartedAt = clock.monotonic();
    for (
      let next = takeReady(queue) ?? (await take(queue));
      next !== undefined && !signal.aborted;
      next = takeReady(queue) ?? (await take(queue))
    ) {
      const run = new ReconcileRun<R>(controller, next).execute(signal);
      clock.hold?.(run);
      await run;
      this.#runs += 1;
      if (this.#runs % RUNS_PER_TURN === 0 || clock.monotonic() - turnStartedAt >= LONGEST_TURN_MS) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        turnStartedAt = clock.monotonic();
      }
    }
  }
}

// Most workers find a request, and a promise for each would take longer than the queue.
function takeReady<R>(queue: RateLimitingQueue<R>): PrioritizedItem<R> | undefined {
  return isPriorityQueue(queue) ? queue.takeReady?.() : undefined;
}

async function take<R>(queue: RateLimitingQueue<R>): Promise<PrioritizedItem<R> | undefined> {
  if (isPriorityQueue(queue)) {
    return await queue.getWithPriority();
  }
  const item = await queue.get();
  return item === undefined ? undefined : { item, priority: 0 };
}

/** The dependencies of all reconciles of a controller. */
interface ReconcileRunOptions<R> extends Pick<
  QueueControllerOptions<R>,
  "name" | "kind" | "observer" | "reconciler" | "clock" | "randomOf" | "recoverPanic" | "logConstructor"
> {
  readonly series: ControllerSeries;
  readonly queue: RateLimitingQueue<R>;
  readonly triggers: Triggers<R> | undefined;
  /** 0 means no limit. */
  readonly reconciliationTimeoutMs: number;
  /** The logger of the controller. */
  readonly log: Logger;
  /** Enabled if the outcomes of reconciles are logged. */
  readonly outcomeLog: Logger;
}

/** One reconcile of a request. */
class ReconcileRun<R> {
  readonly #options: ReconcileRunOptions<R>;
  readonly #taken: PrioritizedItem<R>;
  readonly #reconcileId: string = randomUUID();
  readonly #log: Logger;
  readonly #span: OpenSpan | undefined;
  readonly #observed: ObservedReconcile | undefined;

  constructor(options: ReconcileRunOptions<R>, taken: PrioritizedItem<R>) {
    this.#options = options;
    this.#taken = taken;
    this.#span = startReconcileSpan(options.name, options.kind, taken, this.#reconcileId);
    this.#observed =
      options.observer === undefined
        ? undefined
        : observeReconcile(options.observer, options, {
            request: taken.item,
            reconcileId: this.#reconcileId,
            trigger: options.triggers?.take(taken.item),
          });
    this.#log = new LazyLogger(() => this.#newLogger().withValues({ reconcileID: this.#reconcileId }));
  }

  /** Reconciles, and requeues the request if necessary. Fails: with a programming error if it must not be recovered. */
  async execute(signal: AbortSignal): Promise<void> {
    const { series, clock, queue, reconciliationTimeoutMs } = this.#options;
    series.activeWorkers.value += 1;
    try {
      const startedAt = clock.monotonic();
      let result: Result;
      try {
        result = checkedResult(
          await inSpan(this.#span, () =>
            reconciliationTimeoutMs > 0 ? this.#reconcileInTime(signal) : this.#reconcile(signal),
          ),
        );
      } catch (thrown) {
        series.time.observe((clock.monotonic() - startedAt) / 1000);
        // Passing on the reason of the stop is how a reconcile ends early.
        if (signal.aborted && thrown === signal.reason) {
          this.#log.debug("the shutdown ended a reconcile");
          endReconcileSpan(this.#span, { kind: "shutdown" });
          this.#observed?.end({ kind: "shutdown" });
          return;
        }
        const error = readableError(thrown);
        endReconcileSpan(this.#span, { kind: "error", error });
        this.#observed?.end({ kind: "error", error });
        this.#handleError(error);
        return;
      }
      const durationMs = clock.monotonic() - startedAt;
      series.time.observe(durationMs / 1000);
      endReconcileSpan(this.#span, { kind: "result", result });
      this.#observed?.end({ kind: "result", result });
      this.#handleResult(result);
      if (this.#options.outcomeLog.isEnabled()) this.#logOutcome(result, durationMs);
    } finally {
      queue.done(this.#taken.item);
      series.activeWorkers.value -= 1;
    }
  }

  // A worker goes on without the logger of a program that fails.
  #newLogger(): Logger {
    const { logConstructor, log } = this.#options;
    try {
      return logConstructor(this.#taken.item);
    } catch (error) {
      log.error(error, "cannot create the logger of a request");
      return log;
    }
  }

  async #reconcileInTime(signal: AbortSignal): Promise<ReconcileAnswer> {
    const { clock, reconciliationTimeoutMs, series } = this.#options;
    const limit = new AbortController();
    const forgetSignal = onAbort(signal, () => limit.abort(signal.reason));
    const timer = clock.setTimeout(() => {
      if (!limit.signal.aborted) {
        series.timeouts.value += 1;
        limit.abort(new ReconcileTimeoutError(reconciliationTimeoutMs));
      }
    }, reconciliationTimeoutMs);
    try {
      return await this.#reconcile(limit.signal);
    } finally {
      timer.cancel();
      forgetSignal();
    }
  }

  // oxlint-disable-next-line typescript/promise-function-async -- one promise less for each reconcile
  #reconcile(signal: AbortSignal): Promise<ReconcileAnswer> {
    const { reconciler, name: controller, clock, randomOf } = this.#options;
    // Plain fields, since V8 would create a hidden class for each object with a getter, and copies those of another object slowly.
    const reconcileId = this.#reconcileId;
    const log = this.#log;
    const random = randomOf === undefined ? Math.random : randomOf(this.#taken.item);
    const context: ReconcileContext = { signal, reconcileId, log, clock, random };
    // oxlint-disable-next-line typescript/promise-function-async -- the same
    return withCallScope({ signal, reconcileId, log, controller }, () =>
      reconciler.reconcile(this.#taken.item, context),
    );
  }

  #handleError(error: unknown): void {
    const { series, queue } = this.#options;
    if (isProgrammingError(error)) {
      series.panics.value += 1;
      if (!this.#options.recoverPanic) {
        throw error;
      }
      this.#log.error(error, "observed a panic", frozenFields(error));
    }
    series.errors.value += 1;
    series.results.error.value += 1;
    if (isTerminalError(error)) {
      series.terminalErrors.value += 1;
      queue.forget(this.#taken.item);
      this.#log.error(error, "reconciler error", { terminal: true });
      return;
    }
    this.#options.triggers?.requeued(this.#taken.item, { reason: "retry" });
    this.#requeue({ rateLimited: true }, undefined);
    if (isConflict(error)) {
      this.#log.info("the object has changed, reconciling again", { error: messageOf(error) });
    } else {
      this.#log.error(error, "reconciler error");
    }
  }

  #logOutcome({ requeueAfterMs = 0, requeue = false }: Result, durationMs: number): void {
    this.#log.v(OUTCOME_VERBOSITY).info("reconciled", {
      durationMs: Math.round(durationMs * 10) / 10,
      ...(requeueAfterMs > 0 ? { requeueAfterMs } : requeue ? { requeue } : {}),
    });
  }

  #handleResult(result: Result): void {
    const { series, queue } = this.#options;
    if (result.requeueAfterMs !== undefined && result.requeueAfterMs > 0) {
      // The reconcile succeeded, so a later failure starts from the shortest delay.
      queue.forget(this.#taken.item);
      this.#options.triggers?.requeued(this.#taken.item, { reason: "requeue-after" });
      this.#requeue({ afterMs: result.requeueAfterMs }, result.priority);
      series.results.requeue_after.value += 1;
    } else if (result.requeue === true) {
      this.#options.triggers?.requeued(this.#taken.item, { reason: "requeue" });
      this.#requeue({ rateLimited: true }, result.priority);
      series.results.requeue.value += 1;
    } else {
      queue.forget(this.#taken.item);
      series.results.success.value += 1;
    }
  }

  #requeue(options: AddOptions, priority: number | undefined): void {
    const { queue } = this.#options;
    if (isPriorityQueue(queue)) {
      queue.addWithOptions({ ...options, priority: priority ?? this.#taken.priority }, this.#taken.item);
    } else if (options.rateLimited === true) {
      queue.addRateLimited(this.#taken.item);
    } else {
      queue.addAfter(this.#taken.item, options.afterMs ?? 0);
    }
  }
}
