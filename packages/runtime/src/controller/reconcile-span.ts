import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { Result } from "../reconcile/reconcile.ts";
import { endWithError, type OpenSpan, startRootSpan } from "../tracing/spans.ts";
import type { PrioritizedItem } from "../workqueue/queue.ts";

/** Starts the span of a reconcile, the root of a trace; undefined without an SDK. */
export function startReconcileSpan(
  controller: string,
  kind: GroupVersionKind | undefined,
  taken: PrioritizedItem<unknown>,
  reconcileId: string,
): OpenSpan | undefined {
  return startRootSpan(() => ({
    name: `reconcile ${controller}`,
    kind: "internal",
    attributes: {
      "kubescaffold.controller.name": controller,
      "kubescaffold.reconcile.id": reconcileId,
      "kubescaffold.reconcile.priority": taken.priority,
      ...(kind === undefined ? {} : kindAttributes(kind)),
      ...requestAttributes(taken.item),
    },
  }));
}

function kindAttributes({ group, version, kind }: GroupVersionKind): Record<string, string> {
  return {
    "kubescaffold.object.group": group,
    "kubescaffold.object.version": version,
    "kubescaffold.object.kind": kind,
  };
}

// Other fields of a program's own requests may contain anything.
function requestAttributes(request: unknown): Record<string, string> {
  const { namespace, name } = (request ?? {}) as { readonly namespace?: unknown; readonly name?: unknown };
  return {
    ...(typeof namespace === "string" && namespace !== "" ? { "k8s.namespace.name": namespace } : {}),
    ...(typeof name === "string" ? { "kubescaffold.object.name": name } : {}),
  };
}

/** The end of a reconcile. */
export type ReconcileEnd =
  | { readonly kind: "result"; readonly result: Result }
  | { readonly kind: "error"; readonly error: unknown }
  | { readonly kind: "shutdown" };

const RESULT = "kubescaffold.reconcile.result";

/** Ends the span of a reconcile with its result, named as in the metric `controller_runtime_reconcile_total`. */
export function endReconcileSpan(open: OpenSpan | undefined, end: ReconcileEnd): void {
  if (open === undefined) return;
  if (end.kind === "error") {
    open.span.setAttribute(RESULT, "error");
    endWithError(open, end.error);
    return;
  }
  if (end.kind === "shutdown") {
    open.span.setAttribute(RESULT, "shutdown");
  } else {
    const { requeueAfterMs = 0, requeue } = end.result;
    open.span.setAttribute(RESULT, requeueAfterMs > 0 ? "requeue_after" : requeue === true ? "requeue" : "success");
    if (requeueAfterMs > 0) open.span.setAttribute("kubescaffold.reconcile.requeue_after_ms", requeueAfterMs);
  }
  open.span.end();
}
