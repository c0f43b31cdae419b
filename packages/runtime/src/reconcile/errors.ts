import { ScaffoldError } from "@kubescaffold/k8s";

/**
 * Is thrown by a reconciler whose failure no repetition can cure: it is logged and counted, and the object is left alone until something happens to it.
 *
 * @example
 * throw new TerminalError(new Error("spec.image names no registry"));
 */
export class TerminalError extends ScaffoldError {
  readonly code = "CONTROLLER_TERMINAL";

  constructor(cause: unknown) {
    super(`terminal error: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
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
