import {
  type DeepReadonly,
  findCause,
  isNotFound,
  type Kind,
  messageOf,
  type NamespacedName,
  ScaffoldError,
} from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Reader } from "../client/client.ts";
import type { Stored } from "../client/partial-object.ts";
import type { Logger } from "../log/logger.ts";

/**
 * Identifies the object to reconcile; it contains nothing about the event.
 *
 * controller-runtime: pkg/reconcile.Request
 */
export type Request = NamespacedName;

/**
 * Requests another reconcile of the object.
 *
 * controller-runtime: pkg/reconcile.Result
 */
export interface Result {
  /** Reconciles again after this many milliseconds and resets the failures of the object. Default: no requeue. */
  readonly requeueAfterMs?: number;
  /** Reconciles again with backoff, as after a failure; prefer `requeueAfterMs`. Default: false. */
  readonly requeue?: boolean;
  /** The priority of the requeue, including one after a failure. Default: the priority at which the request was taken. */
  readonly priority?: number;
}

/** The context of a reconcile. */
export interface ReconcileContext {
  /** Aborts when the controller stops or the reconcile exceeds its timeout; calls of clients and caches without a signal use it. */
  readonly signal: AbortSignal;
  /** A logger with the controller, the object, and the ID of this reconcile. */
  readonly log: Logger;
  /** A unique ID of this reconcile. */
  readonly reconcileId: string;
  /** The clock of the manager; a test may replace it. Times and delays that come from it are the test's, unlike those of `Date.now` and `setTimeout`. */
  readonly clock: Clock;
  /**
   * Returns a random number from 0 up to 1, like `Math.random`. With the option `seed` of the controller, the numbers of the n-th reconcile of an object are
   * the same in each run.
   */
  readonly random: () => number;
}

/** The result of a reconcile; undefined if the object needs no further reconcile. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a reconciler without a result needs no return statement
export type ReconcileAnswer = Result | void;

/**
 * Drives the cluster toward the desired state of an object.
 *
 * A reconcile may run without any change, once for several changes, and for a deleted object; two reconciles of one request never run concurrently.
 * Fails: any error is retried with backoff; a {@link TerminalError} is not retried.
 *
 * controller-runtime: pkg/reconcile.Reconciler
 */
export interface Reconciler<R = Request> {
  /** Reconciles the object of a request. */
  reconcile(request: R, context: ReconcileContext): Promise<ReconcileAnswer>;
}

/**
 * A reconciler as a function.
 *
 * controller-runtime: pkg/reconcile.Func
 */
export type ReconcileFunction<R = Request> = (request: R, context: ReconcileContext) => Promise<ReconcileAnswer>;

/** Returns a function as a reconciler; returns a reconciler unchanged. */
export function toReconciler<R>(reconciler: Reconciler<R> | ReconcileFunction<R>): Reconciler<R> {
  return typeof reconciler === "function" ? { reconcile: reconciler } : reconciler;
}

/**
 * A reconcile function that receives the object in place of the request.
 *
 * controller-runtime: pkg/reconcile.ObjectReconciler
 */
export type ObjectReconcileFunction<T extends KubernetesObject> = (
  object: DeepReadonly<Stored<T>>,
  context: ReconcileContext,
) => Promise<ReconcileAnswer>;

/** Options of {@link asReconciler}. */
export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  /** Reads the objects. */
  readonly client: Reader;
  /** The kind of the objects. */
  readonly kind: Kind<T>;
  /** Reconciles an object. */
  readonly reconcile: ObjectReconcileFunction<T>;
}

/**
 * Creates a reconciler that reads the object first; a deleted object is skipped.
 *
 * controller-runtime: pkg/reconcile.AsReconciler
 */
export function asReconciler<T extends KubernetesObject>(options: ObjectReconcilerOptions<T>): Reconciler {
  const { client, kind, reconcile } = options;
  return {
    reconcile: async (request, context) => {
      let object: DeepReadonly<Stored<T>>;
      try {
        object = await client.get(kind, request, { signal: context.signal });
      } catch (error) {
        if (isNotFound(error)) {
          return {};
        }
        throw error;
      }
      return await reconcile(object, context);
    },
  };
}

/**
 * Thrown when a reconciler reported an error that retries cannot fix.
 *
 * Fix: Fix the object; the next event reconciles it again.
 *
 * controller-runtime: pkg/reconcile.TerminalError
 *
 * @example
 * throw new TerminalError(new Error("spec.image names no registry"));
 */
export class TerminalError extends ScaffoldError {
  readonly code = "CONTROLLER_TERMINAL";

  constructor(cause: unknown) {
    super(`terminal error: ${messageOf(cause)}`, { cause });
  }
}

/** Reports whether an error or one of its causes is terminal. */
export function isTerminalError(error: unknown): boolean {
  return findCause(error, TerminalError) !== undefined;
}

/**
 * Thrown when a reconciliation exceeded `reconciliationTimeoutMs`; this is the abort reason of its signal, which calls of clients and caches obey.
 *
 * Fix: Increase the timeout, or pass the signal to other slow calls.
 */
export class ReconcileTimeoutError extends ScaffoldError {
  readonly code = "CONTROLLER_RECONCILE_TIMEOUT";

  constructor(timeoutMs: number) {
    super(`the reconcile did not complete within ${String(timeoutMs)} ms`, {
      hint: "increase reconciliationTimeoutMs, or pass the context's signal to slow calls",
    });
  }
}
