import type { Clock } from "../clock/clock.ts";
import type { Logger } from "../log/logger.ts";
import type { Manager } from "../manager/manager.ts";
import { type MetricsRegistry, oncePerRegistry } from "../metrics/registry.ts";
import { type ReconcileFunction, type Reconciler, type Request, toReconciler } from "../reconcile/reconcile.ts";
import { createPriorityQueue } from "../workqueue/priority-queue.ts";
import type { RateLimiter, RateLimitingQueue, RateLimitingQueueOptions } from "../workqueue/queue.ts";
import { defaultRateLimiter, itemExponentialFailureRateLimiter } from "../workqueue/rate-limiter.ts";
import { createRateLimitingQueue } from "../workqueue/rate-limiting-queue.ts";
import { ControllerNameMissingError, ControllerNameTakenError } from "./errors.ts";
import { type Controller, QueueController, type QueueControllerOptions } from "./queue-controller.ts";

/** Settings of a controller; the defaults are upstream's, and those of the manager come in between. */
export interface ControllerOptions<R = Request> {
  readonly reconciler: Reconciler<R> | ReconcileFunction<R>;
  /** How many requests are reconciled at once; 1 unless given. */
  readonly maxConcurrentReconciles?: number;
  /** How long each source may take to start and be filled; 2 minutes unless given. */
  readonly cacheSyncTimeoutMs?: number;
  /** Treats what only a bug throws like any failure; true unless given. With false it stops the manager. */
  readonly recoverPanic?: boolean;
  /** Runs on the leader only; true unless given. */
  readonly needLeaderElection?: boolean;
  /** Fills the queue on standbys too; false unless given. */
  readonly enableWarmup?: boolean;
  /** How long one reconciliation may take before its signal aborts; without limit unless given. */
  readonly reconciliationTimeoutMs?: number;
  /** Takes requests in order of their priority; true unless given. */
  readonly usePriorityQueue?: boolean;
  readonly rateLimiter?: RateLimiter<R>;
  /** Creates the queue, in place of those that {@link ControllerOptions.usePriorityQueue} chooses from. */
  readonly newQueue?: (options: RateLimitingQueueOptions<R>) => RateLimitingQueue<R>;
  /** Allows several controllers of one name, whose metrics are then one. */
  readonly skipNameValidation?: boolean;
  readonly logger?: Logger;
  /** Returns the logger of the controller, or of one request; its lines then name the reconciliation too. */
  readonly logConstructor?: (request: R | undefined) => Logger;
}

/** What a controller needs that no manager gives it. */
export interface ControllerSurroundings {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly registry: MetricsRegistry;
}

const CACHE_SYNC_TIMEOUT_MS = 120_000;

/**
 * Creates a controller that the manager starts and stops.
 *
 * Fails: `ControllerNameTakenError` when the process has a controller of that name.
 */
export function createController<R = Request>(
  name: string,
  manager: Manager,
  options: ControllerOptions<R>,
): Controller<R> {
  const { groupKindConcurrency: _, ...defaults } = manager.getControllerOptions();
  const surroundings = {
    logger: manager.getLogger(),
    clock: manager.getClock(),
    registry: manager.getMetricsRegistry(),
  };
  const controller = createUnmanagedController(name, surroundings, { ...defaults, ...options });
  manager.add(controller);
  return controller;
}

/** Creates a controller that the caller starts. Fails: `ControllerNameTakenError` as {@link createController}. */
export function createUnmanagedController<R = Request>(
  name: string,
  surroundings: ControllerSurroundings,
  options: ControllerOptions<R>,
): Controller<R> {
  if (options.skipNameValidation !== true) {
    claimName(name, surroundings.registry);
  }
  return new QueueController<R>(resolve(name, surroundings, options));
}

function resolve<R>(
  name: string,
  surroundings: ControllerSurroundings,
  options: ControllerOptions<R>,
): QueueControllerOptions<R> {
  const logger = options.logger ?? surroundings.logger;
  const log = logger.withValues({ controller: name });
  return {
    name,
    reconciler: toReconciler(options.reconciler),
    clock: surroundings.clock,
    registry: surroundings.registry,
    maxConcurrentReconciles: Math.max(1, options.maxConcurrentReconciles ?? 1),
    cacheSyncTimeoutMs: options.cacheSyncTimeoutMs ?? CACHE_SYNC_TIMEOUT_MS,
    recoverPanic: options.recoverPanic ?? true,
    needLeaderElection: options.needLeaderElection ?? true,
    enableWarmup: options.enableWarmup ?? false,
    reconciliationTimeoutMs: options.reconciliationTimeoutMs ?? 0,
    newQueue: () => createQueue(name, surroundings, options),
    logConstructor:
      options.logConstructor ?? ((request) => log.withValues(request === undefined ? {} : fieldsOf(request))),
  };
}

function createQueue<R>(
  name: string,
  surroundings: ControllerSurroundings,
  options: ControllerOptions<R>,
): RateLimitingQueue<R> {
  const { usePriorityQueue = true } = options;
  const { clock, registry } = surroundings;
  const rateLimiter =
    options.rateLimiter ?? (usePriorityQueue ? itemExponentialFailureRateLimiter<R>() : defaultRateLimiter<R>(clock));
  const queueOptions = { name, controller: name, clock, registry, rateLimiter };
  const create = options.newQueue ?? (usePriorityQueue ? createPriorityQueue<R> : createRateLimitingQueue<R>);
  return create(queueOptions);
}

function fieldsOf(request: unknown): Readonly<Record<string, unknown>> {
  return typeof request === "object" && request !== null ? { ...request } : { request };
}

const namesOf = oncePerRegistry(() => new Set<string>());

/** Takes a name for good. Fails: {@link ControllerNameTakenError} when another controller that counts in the registry has it. */
function claimName(name: string, registry: MetricsRegistry): void {
  if (name === "") {
    throw new ControllerNameMissingError();
  }
  const names = namesOf(registry);
  if (names.has(name)) {
    throw new ControllerNameTakenError(name);
  }
  names.add(name);
}
