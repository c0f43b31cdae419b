import type { NamespacedName } from "@kubescaffold/k8s";

import type { Logger } from "../log/logger.ts";

/** Names the object to reconcile; it carries nothing of what happened. */
export type Request = NamespacedName;

/** Says when an object wants to be reconciled again although nothing happens to it. */
export interface Result {
  /** Comes again after so many milliseconds; the failures counted so far are forgotten. */
  readonly requeueAfterMs?: number;
  /** Comes again with back-off, as after a failure; `requeueAfterMs` is nearly always better. */
  readonly requeue?: boolean;
  /** The priority of whatever brings it again, a failure included; the one it was taken with unless given. */
  readonly priority?: number;
}

/** What a reconciler is given beside the request. */
export interface ReconcileContext {
  /** Aborts when the controller stops or the time for this reconciliation is over. */
  readonly signal: AbortSignal;
  /** Writes lines that name the controller, the object and this reconciliation. */
  readonly log: Logger;
  /** Is different for every reconciliation. */
  readonly reconcileId: string;
}

/** What a reconciliation resolves with: nothing when all is as it should be. */
// oxlint-disable-next-line typescript/no-invalid-void-type -- a reconciler without a result needs no return statement
export type ReconcileAnswer = Result | void;

/**
 * Brings the world closer to what an object asks for.
 *
 * A reconciliation may come for no reason, for several at once, and for an object that is gone; two of the same request never run at once.
 * Fails: with any error to be tried again with back-off, with {@link TerminalError} to be left alone until something happens.
 */
export interface Reconciler<R = Request> {
  reconcile(request: R, context: ReconcileContext): Promise<ReconcileAnswer>;
}

/** A reconciler that is no more than its function. */
export type ReconcileFunction<R = Request> = (request: R, context: ReconcileContext) => Promise<ReconcileAnswer>;

/** Returns the function as a reconciler; a reconciler as it is. */
export function toReconciler<R>(reconciler: Reconciler<R> | ReconcileFunction<R>): Reconciler<R> {
  return typeof reconciler === "function" ? { reconcile: reconciler } : reconciler;
}
