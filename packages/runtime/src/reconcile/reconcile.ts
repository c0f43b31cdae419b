import { isNotFound, type Kind, type NamespacedName, ScaffoldError } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";

import type { Reader } from "../client/client.ts";
import { type Logger, messageOf } from "../log/logger.ts";

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

/** A reconciler that is given the object in place of its name. */
export type ObjectReconcileFunction<T extends KubernetesObject> = (
  object: T,
  context: ReconcileContext,
) => Promise<ReconcileAnswer>;

/** Where {@link asReconciler} finds objects, and what it does with them. */
export interface ObjectReconcilerOptions<T extends KubernetesObject> {
  readonly client: Reader;
  readonly kind: Kind<T>;
  readonly reconcile: ObjectReconcileFunction<T>;
}

/** Creates a reconciler that reads the object first; one that is gone needs nothing done. */
export function asReconciler<T extends KubernetesObject>(options: ObjectReconcilerOptions<T>): Reconciler {
  const { client, kind, reconcile } = options;
  return {
    reconcile: async (request, context) => {
      let object: T;
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
 * Is thrown by a reconciler whose failure no repetition can cure: it is logged and counted, and the object is left alone until something happens to it.
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

/** Says whether an error, or one it was made from, is terminal. */
export function isTerminalError(error: unknown): boolean {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each instanceof TerminalError) {
      return true;
    }
  }
  return false;
}

/** Is the reason of a reconciliation's signal when its time is over. */
export class ReconcileTimeoutError extends ScaffoldError {
  readonly code = "CONTROLLER_RECONCILE_TIMEOUT";

  constructor(timeoutMs: number) {
    super(`the reconciliation did not end within ${String(timeoutMs)} ms`, {
      hint: "raise reconciliationTimeoutMs, or pass the context's signal to slow calls",
    });
  }
}
