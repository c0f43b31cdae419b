import { isConflict, messageOf } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { Observer, ReconcileEnded, ReconcileOutcome, ReconcileTrigger } from "../observe/observer.ts";
import { isProgrammingError } from "../reconcile/programming-error.ts";
import { isTerminalError } from "../reconcile/reconcile.ts";
import type { ReconcileEnd } from "./reconcile-span.ts";

/** A reconcile whose start was observed. */
export interface ObservedReconcile {
  /** Observes the end. */
  readonly end: (end: ReconcileEnd) => void;
}

/** Observes the start of a reconcile, and returns what observes its end. */
export function observeReconcile(
  observer: Observer,
  { name: controller, clock }: { readonly name: string; readonly clock: Clock },
  {
    request,
    reconcileId,
    trigger,
  }: { readonly request: unknown; readonly reconcileId: string; readonly trigger: ReconcileTrigger | undefined },
): ObservedReconcile {
  const startedAt = clock.monotonic();
  const { namespace, name } = (request ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  const target = {
    at: clock.now(),
    controller,
    reconcileId,
    namespace: typeof namespace === "string" ? namespace : "",
    name: typeof name === "string" ? name : "",
    ...(trigger === undefined ? {} : { trigger }),
  };
  observer.observe({ kind: "reconcile-started", ...target });
  return {
    end: (end) => {
      const durationMs = clock.monotonic() - startedAt;
      observer.observe({ kind: "reconcile-ended", ...target, durationMs, ...outcomeOf(end) });
    },
  };
}

function outcomeOf(end: ReconcileEnd): Pick<ReconcileEnded, "outcome" | "requeueAfterMs" | "error" | "errorCode"> {
  switch (end.kind) {
    case "shutdown":
      return { outcome: "shutdown" };
    case "error":
      return { outcome: failureOf(end.error), error: messageOf(end.error), ...codeOf(end.error) };
    case "result": {
      const { requeueAfterMs = 0, requeue } = end.result;
      if (requeueAfterMs > 0) return { outcome: "requeue-after", requeueAfterMs };
      return { outcome: requeue === true ? "requeue" : "success" };
    }
  }
}

function failureOf(error: unknown): ReconcileOutcome {
  if (isProgrammingError(error)) return "panic";
  return isTerminalError(error) ? "terminal-error" : "error";
}

function codeOf(error: unknown): Pick<ReconcileEnded, "errorCode"> {
  if (isConflict(error)) return { errorCode: "Conflict" };
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? { errorCode: code } : {};
}
