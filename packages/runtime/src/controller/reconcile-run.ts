import { randomUUID } from "node:crypto";

import { isConflict } from "@kubescaffold/k8s";

import { onAbort } from "../clock/abort.ts";
import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { ControllerMetrics, ReconcileResultLabel } from "../metrics/controller-metrics.ts";
import { isTerminalError, ReconcileTimeoutError } from "../reconcile/errors.ts";
import type { ReconcileAnswer, ReconcileContext, Reconciler, Result } from "../reconcile/reconcile.ts";
import { isPriorityQueue, type AddOptions, type PrioritizedItem, type RateLimitingQueue } from "../workqueue/queue.ts";
import { isPanic } from "./panic.ts";

/** What one reconciliation works with. */
export interface ReconcileRunOptions<R> {
  readonly name: string;
  readonly reconciler: Reconciler<R>;
  readonly clock: Clock;
  readonly metrics: ControllerMetrics;
  readonly queue: RateLimitingQueue<R>;
  readonly taken: PrioritizedItem<R>;
  readonly recoverPanic: boolean;
  /** 0 for no limit. */
  readonly reconciliationTimeoutMs: number;
  readonly logConstructor: (request: R | undefined) => Logger;
}

/** One reconciliation of a request, and what comes of it. */
export class ReconcileRun<R> {
  readonly #options: ReconcileRunOptions<R>;
  readonly #log: Logger;
  readonly #reconcileId: string = randomUUID();

  constructor(options: ReconcileRunOptions<R>) {
    this.#options = options;
    this.#log = options.logConstructor(options.taken.item).withValues({ reconcileID: this.#reconcileId });
  }

  /** Reconciles and puts the request in line again if need be. Fails: with what only a bug throws, if that is not to be recovered from. */
  async execute(signal: AbortSignal): Promise<void> {
    const { metrics, name: controller, clock } = this.#options;
    const startedAt = clock.monotonic();
    let answer: Result;
    try {
      answer = (await this.#reconcileInTime(signal)) ?? {};
    } catch (error) {
      metrics.reconcileTime.observe({ controller }, (clock.monotonic() - startedAt) / 1000);
      this.#handleError(error);
      return;
    }
    metrics.reconcileTime.observe({ controller }, (clock.monotonic() - startedAt) / 1000);
    this.#handleResult(answer);
  }

  async #reconcileInTime(signal: AbortSignal): Promise<ReconcileAnswer> {
    const { clock, reconciliationTimeoutMs, metrics, name: controller } = this.#options;
    if (reconciliationTimeoutMs <= 0) {
      return await this.#reconcile(signal);
    }
    const limit = new AbortController();
    const forgetSignal = onAbort(signal, () => limit.abort(signal.reason));
    const timer = clock.setTimeout(() => {
      if (!limit.signal.aborted) {
        metrics.reconcileTimeouts.inc({ controller });
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

  async #reconcile(signal: AbortSignal): Promise<ReconcileAnswer> {
    const { reconciler, taken } = this.#options;
    const context: ReconcileContext = { signal, log: this.#log, reconcileId: this.#reconcileId };
    return await reconciler.reconcile(taken.item, context);
  }

  #handleError(error: unknown): void {
    const { metrics, name: controller, queue, taken } = this.#options;
    if (isPanic(error)) {
      metrics.reconcilePanics.inc({ controller });
      if (!this.#options.recoverPanic) {
        throw error;
      }
      this.#log.error(error, "observed a panic");
    }
    metrics.reconcileErrors.inc({ controller });
    this.#count("error");
    if (isTerminalError(error)) {
      metrics.terminalErrors.inc({ controller });
      queue.forget(taken.item);
      this.#log.error(error, "reconciler error", { terminal: true });
      return;
    }
    this.#requeue({ rateLimited: true }, undefined);
    if (isConflict(error)) {
      this.#log.info("the object was changed meanwhile, reconciling again", { error: String(error) });
    } else {
      this.#log.error(error, "reconciler error");
    }
  }

  #handleResult(result: Result): void {
    const { queue, taken } = this.#options;
    if (result.requeueAfterMs !== undefined && result.requeueAfterMs > 0) {
      // What was failing before is not any more, so a later failure starts from the shortest delay.
      queue.forget(taken.item);
      this.#requeue({ afterMs: result.requeueAfterMs }, result.priority);
      this.#count("requeue_after");
    } else if (result.requeue === true) {
      this.#requeue({ rateLimited: true }, result.priority);
      this.#count("requeue");
    } else {
      queue.forget(taken.item);
      this.#count("success");
    }
  }

  #requeue(options: AddOptions, priority: number | undefined): void {
    const { queue, taken } = this.#options;
    if (isPriorityQueue(queue)) {
      queue.addWithOptions({ ...options, priority: priority ?? taken.priority }, taken.item);
    } else if (options.rateLimited === true) {
      queue.addRateLimited(taken.item);
    } else {
      queue.addAfter(taken.item, options.afterMs ?? 0);
    }
  }

  #count(result: ReconcileResultLabel): void {
    this.#options.metrics.reconcileTotal.inc({ controller: this.#options.name, result });
  }
}
