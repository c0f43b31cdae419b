import { randomUUID } from "node:crypto";

import { log, type ReconcileContext } from "@kubescaffold/runtime";

/**
 * Returns a context as a controller passes it to a reconciler, for tests that call the reconciler themselves: a signal that never aborts, the
 * program's logger, and a new id.
 *
 * @example
 * await new GuestbookReconciler(client).reconcile({ namespace: "default", name: "sample" }, reconcileContext());
 */
export function reconcileContext(overrides: Partial<ReconcileContext> = {}): ReconcileContext {
  return { signal: new AbortController().signal, log, reconcileId: randomUUID(), ...overrides };
}
