// What others learn of reconciles: their spans, the observations of a manager's observers with the events that caused them, and their logs.
import { type GroupVersionKind, isConflict, messageOf } from "@kubescaffold/k8s";
import type { Clock } from "@kubescaffold/platform/clock";

import type { LogFields, Logger } from "../log/logger.ts";
import type { Observer, ReconcileEnded, ReconcileOutcome, ReconcileTrigger } from "../observe/observer.ts";
import { isProgrammingError } from "../reconcile/programming-error.ts";
import { isTerminalError, type Result } from "../reconcile/reconcile.ts";
import { endWithError, type OpenSpan, startRootSpan } from "../tracing/spans.ts";
import { itemKey } from "../workqueue/item-key.ts";
import type { PrioritizedItem, RateLimitingQueue } from "../workqueue/queue.ts";
import { routedQueue } from "../workqueue/routed-queue.ts";

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

/** Why the requests of a queue wait, for the observers of reconciles. */
export class Triggers<R> {
  readonly #keyOf: (request: R) => unknown;
  readonly #waiting = new Map<unknown, ReconcileTrigger>();

  constructor({ keyOf = itemKey }: Pick<RateLimitingQueue<R>, "keyOf">) {
    this.#keyOf = keyOf;
  }

  /** Returns a queue that records an event for the accepted requests that are added to it. */
  ofEvent(
    queue: RateLimitingQueue<R>,
    trigger: ReconcileTrigger,
    accepts: ((request: R) => boolean) | undefined,
  ): RateLimitingQueue<R> {
    return routedQueue(queue, (request) => {
      if (accepts?.(request) === false) return undefined;
      this.#add(request, trigger);
      return queue;
    });
  }

  /** Records that a reconcile queued its request again, unless an event has done so meanwhile. */
  requeued(request: R, trigger: ReconcileTrigger): void {
    const key = this.#keyOf(request);
    if (!this.#waiting.has(key)) this.#waiting.set(key, trigger);
  }

  /** Returns why a request was queued, and forgets it; undefined if it was added without an event. */
  take(request: R): ReconcileTrigger | undefined {
    const key = this.#keyOf(request);
    const trigger = this.#waiting.get(key);
    this.#waiting.delete(key);
    return trigger;
  }

  // An event precedes a delay, which would have ended later; events of one request are merged by the queue.
  #add(request: R, trigger: ReconcileTrigger): void {
    const key = this.#keyOf(request);
    const former = this.#waiting.get(key);
    if (former === undefined || !isEvent(former)) this.#waiting.set(key, trigger);
    else this.#waiting.set(key, { ...former, merged: (former.merged ?? 0) + 1 });
  }
}

function isEvent({ reason }: ReconcileTrigger): boolean {
  return reason !== "requeue" && reason !== "requeue-after" && reason !== "retry";
}

/** A logger that is created on first use, since most reconciles log nothing. */
export class LazyLogger implements Logger {
  readonly #create: () => Logger;
  #known: Logger | undefined;

  constructor(create: () => Logger) {
    this.#create = create;
  }

  get #logger(): Logger {
    this.#known ??= this.#create();
    return this.#known;
  }

  info(message: string, fields?: LogFields): void {
    this.#logger.info(message, fields);
  }

  error(error: unknown, message: string, fields?: LogFields): void {
    this.#logger.error(error, message, fields);
  }

  debug(message: string, fields?: LogFields): void {
    this.#logger.debug(message, fields);
  }

  v(level: number): Logger {
    return this.#logger.v(level);
  }

  isEnabled(): boolean {
    return this.#logger.isEnabled();
  }

  withValues(fields: LogFields): Logger {
    return this.#logger.withValues(fields);
  }

  withName(name: string): Logger {
    return this.#logger.withName(name);
  }
}
