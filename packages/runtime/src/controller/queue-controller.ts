import { onAbort } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import {
  controllerMetrics,
  initializeControllerMetrics,
  type ControllerMetrics,
} from "../metrics/controller-metrics.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { ReconcileAnswer, ReconcileContext, Reconciler } from "../reconcile/reconcile.ts";
import type { Source } from "../source/source.ts";
import { isPriorityQueue, type PrioritizedItem, type RateLimitingQueue } from "../workqueue/queue.ts";
import type { Controller } from "./controller.ts";
import { ControllerStartedTwiceError } from "./errors.ts";
import { ReconcileRun } from "./reconcile-run.ts";
import { startSource } from "./source-start.ts";

/** What a controller works with. */
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
  /** 0 for no limit. */
  readonly reconciliationTimeoutMs: number;
  readonly newQueue: () => RateLimitingQueue<R>;
  readonly logConstructor: (request: R | undefined) => Logger;
}

// Reconcilers that wait for nothing would keep timers, probes and watches from their turn.
const RUNS_PER_TURN = 64;

/** Takes requests from a queue that its sources fill. */
export class QueueController<R> implements Controller<R> {
  readonly name: string;
  readonly runnableName: string;
  readonly warmup?: (signal: AbortSignal) => Promise<void>;
  readonly #options: QueueControllerOptions<R>;
  readonly #metrics: ControllerMetrics;
  readonly #log: Logger;
  readonly #sources: Source<R>[] = [];
  #queue: RateLimitingQueue<R> | undefined;
  #sourcesStarted: Promise<void> | undefined;
  #signal: AbortSignal | undefined;
  #hasStarted = false;
  #runs = 0;

  constructor(options: QueueControllerOptions<R>) {
    this.name = options.name;
    this.runnableName = `controller ${options.name}`;
    this.#options = options;
    this.#log = options.logConstructor(undefined);
    this.#metrics = controllerMetrics(options.registry);
    initializeControllerMetrics(this.#metrics, options.name);
    this.#metrics.maxConcurrentReconciles.set({ controller: options.name }, options.maxConcurrentReconciles);
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
      await this.#startSource(source, this.#signal);
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

  // The warm-up and the start share one start of the sources, whichever comes first.
  async #startSources(signal: AbortSignal): Promise<void> {
    if (this.#sourcesStarted === undefined) {
      const queue = this.#options.newQueue();
      this.#queue = queue;
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
    const { clock, cacheSyncTimeoutMs } = this.#options;
    const queue = this.#queue;
    if (queue !== undefined) {
      this.#log.info("starting event source", { source: source.describe?.() ?? "source" });
      const context = { queue, signal, clock, log: this.#log };
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
    const stopQueue = onAbort(signal, () => queue.shutDown());
    const workers = Array.from({ length: maxConcurrentReconciles }, async () => await this.#runWorker(queue, signal));
    await Promise.all(workers);
    stopQueue();
  }

  async #runWorker(queue: RateLimitingQueue<R>, signal: AbortSignal): Promise<void> {
    for (let next = await take(queue); next !== undefined && !signal.aborted; next = await take(queue)) {
      await this.#runOnce(queue, next, signal);
      this.#runs += 1;
      if (this.#runs % RUNS_PER_TURN === 0) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    }
  }

  async #runOnce(queue: RateLimitingQueue<R>, taken: PrioritizedItem<R>, signal: AbortSignal): Promise<void> {
    const controller = this.name;
    this.#metrics.activeWorkers.inc({ controller });
    try {
      const run = new ReconcileRun<R>({ ...this.#options, metrics: this.#metrics, queue, taken });
      await run.execute(signal);
    } finally {
      queue.done(taken.item);
      this.#metrics.activeWorkers.dec({ controller });
    }
  }
}

async function take<R>(queue: RateLimitingQueue<R>): Promise<PrioritizedItem<R> | undefined> {
  if (isPriorityQueue(queue)) {
    return await queue.getWithPriority();
  }
  const item = await queue.get();
  return item === undefined ? undefined : { item, priority: 0 };
}
