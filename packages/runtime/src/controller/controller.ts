import type { GroupVersionKind } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Logger } from "../log/logger.ts";
import { checkControllerNumbers, type ControllerDefaults, type Manager } from "../manager/manager.ts";
import { type MetricsRegistry, oncePerRegistry } from "../metrics/registry.ts";
import type { Observer } from "../observe/observer.ts";
import { type ReconcileFunction, type Reconciler, type Request, toReconciler } from "../reconcile/reconcile.ts";
import { createPriorityQueue } from "../workqueue/priority-queue.ts";
import type { RateLimiter, RateLimitingQueue, RateLimitingQueueOptions } from "../workqueue/queue.ts";
import { defaultRateLimiter, itemExponentialFailureRateLimiter } from "../workqueue/rate-limiter.ts";
import { createRateLimitingQueue } from "../workqueue/rate-limiting-queue.ts";
import { ControllerNameMissingError, ControllerNameTakenError } from "./errors.ts";
import { type Controller, QueueController, type QueueControllerOptions } from "./queue-controller.ts";
import { reconcileRandom } from "./reconcile-random.ts";

/**
 * Settings of a controller; missing settings are inherited from the manager, then from upstream's defaults.
 *
 * controller-runtime: pkg/controller.Options
 */
export interface ControllerOptions<R = Request> {
  /** Reconciles the requests. */
  readonly reconciler: Reconciler<R> | ReconcileFunction<R>;
  /** The number of workers; 0 or less counts as missing. Default: 1. */
  readonly maxConcurrentReconciles?: number;
  /** Milliseconds that each source may take to start and sync; 0 counts as missing. Default: 120000 (2 minutes). */
  readonly cacheSyncTimeoutMs?: number;
  /** Treats programming errors like other failures; false stops the manager. Default: true. */
  readonly recoverPanic?: boolean;
  /** Runs only on the leader. Default: true. */
  readonly needLeaderElection?: boolean;
  /** Fills the queue on standbys, too. Default: false. */
  readonly enableWarmup?: boolean;
  /** Milliseconds after which the signal of a reconcile aborts; 0 sets no limit. Default: no limit. */
  readonly reconciliationTimeoutMs?: number;
  /** Uses a queue with priorities. Default: true. */
  readonly usePriorityQueue?: boolean;
  /** Returns a string or number that is equal for equal requests. Default: requests with equal fields are equal; they must be plain data. */
  readonly keyOf?: (request: R) => unknown;
  /** Reports whether the controller reconciles a request; requests of its sources for which it returns false are dropped. Default: all. */
  readonly accepts?: (request: R) => boolean;
  /** The rate limiter of the queue. Default: exponential per item; without priorities combined with a token bucket. */
  readonly rateLimiter?: RateLimiter<R>;
  /** Creates the queue. Default: the queue that {@link ControllerOptions.usePriorityQueue} selects. */
  readonly newQueue?: (options: RateLimitingQueueOptions<R>) => RateLimitingQueue<R>;
  /** Allows several controllers of one name, which then share their metrics. Default: false. */
  readonly skipNameValidation?: boolean;
  /** The kind of the reconciled objects, for spans. Default: none; builders set that of `for`. */
  readonly kind?: GroupVersionKind;
  /** Determines the random numbers in the contexts of reconciles, for tests. Default: `Math.random`. */
  readonly seed?: string | number;
  /** The logger. Default: the manager's logger. */
  readonly logger?: Logger;
  /** Returns the logger of the controller, or of a request. Default: adds the controller and the object. */
  readonly logConstructor?: (request: R | undefined) => Logger;
}

/** The dependencies of a controller without a manager. */
export interface ControllerSurroundings {
  /** The logger. */
  readonly logger: Logger;
  /** The clock. */
  readonly clock: Clock;
  /** The registry of the metrics. */
  readonly registry: MetricsRegistry;
  /** Receives what the controller does. Default: none. */
  readonly observer?: Observer | undefined;
}

const CACHE_SYNC_TIMEOUT_MS = 120_000;

/**
 * Creates a controller and adds it to a manager.
 *
 * Fails: `ControllerNameTakenError` when the process has a controller of that name, `NumericOptionError` for an invalid number.
 *
 * controller-runtime: pkg/controller.New
 */
export function createController<R = Request>(
  name: string,
  manager: Manager,
  options: ControllerOptions<R>,
): Controller<R> {
  checkControllerNumbers(`the controller ${name}`, options);
  const { groupKindConcurrency: _, ...defaults } = manager.getControllerOptions();
  const surroundings = {
    logger: manager.getLogger(),
    clock: manager.getClock(),
    registry: manager.getMetricsRegistry(),
    observer: manager.getObserver(),
  };
  const controller = createUnmanagedController(name, surroundings, {
    ...defaults,
    ...options,
    ...inheritedNumbers(options, defaults),
  });
  manager.add(controller);
  return controller;
}

function inheritedNumbers<R>(options: ControllerOptions<R>, defaults: ControllerDefaults): ControllerDefaults {
  const { maxConcurrentReconciles: workers = 0, cacheSyncTimeoutMs: syncTimeoutMs = 0 } = options;
  return {
    maxConcurrentReconciles: workers > 0 ? workers : (defaults.maxConcurrentReconciles ?? 0),
    cacheSyncTimeoutMs: syncTimeoutMs === 0 ? (defaults.cacheSyncTimeoutMs ?? 0) : syncTimeoutMs,
  };
}

/**
 * Creates a controller that the caller starts. Fails: `ControllerNameTakenError` and `NumericOptionError` like {@link createController}.
 *
 * controller-runtime: pkg/controller.NewUnmanaged
 */
export function createUnmanagedController<R = Request>(
  name: string,
  surroundings: ControllerSurroundings,
  options: ControllerOptions<R>,
): Controller<R> {
  checkControllerNumbers(`the controller ${name}`, options);
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
  const { logger = surroundings.logger, cacheSyncTimeoutMs: syncTimeoutMs = 0 } = options;
  const log = logger.withValues({ controller: name });
  return {
    name,
    reconciler: toReconciler(options.reconciler),
    clock: surroundings.clock,
    registry: surroundings.registry,
    maxConcurrentReconciles: Math.max(1, options.maxConcurrentReconciles ?? 1),
    cacheSyncTimeoutMs: syncTimeoutMs === 0 ? CACHE_SYNC_TIMEOUT_MS : syncTimeoutMs,
    recoverPanic: options.recoverPanic ?? true,
    needLeaderElection: options.needLeaderElection ?? true,
    enableWarmup: options.enableWarmup ?? false,
    reconciliationTimeoutMs: options.reconciliationTimeoutMs ?? 0,
    kind: options.kind,
    randomOf: options.seed === undefined ? undefined : reconcileRandom(name, options.seed),
    observer: surroundings.observer,
    newQueue: () => createQueue(name, surroundings, options),
    accepts: options.accepts,
    logConstructor:
      options.logConstructor ?? ((request) => log.withValues(request === undefined ? {} : fieldsOf(request))),
  };
}

function createQueue<R>(
  name: string,
  surroundings: ControllerSurroundings,
  options: ControllerOptions<R>,
): RateLimitingQueue<R> {
  const { usePriorityQueue = true, keyOf } = options;
  const { clock, registry } = surroundings;
  const rateLimiter =
    options.rateLimiter ??
    (usePriorityQueue ? itemExponentialFailureRateLimiter<R>({ keyOf }) : defaultRateLimiter<R>(clock, keyOf));
  const queueOptions = {
    name,
    controller: name,
    clock,
    registry,
    rateLimiter,
    ...(keyOf === undefined ? {} : { keyOf }),
  };
  const create = options.newQueue ?? (usePriorityQueue ? createPriorityQueue<R> : createRateLimitingQueue<R>);
  return create(queueOptions);
}

function fieldsOf(request: unknown): Readonly<Record<string, unknown>> {
  return typeof request === "object" && request !== null ? { ...request } : { request };
}

const namesOf = oncePerRegistry(() => new Set<string>());

/** Reserves a name permanently. Fails: {@link ControllerNameTakenError} when another controller of the registry has it. */
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
