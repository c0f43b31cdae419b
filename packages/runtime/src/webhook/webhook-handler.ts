import { contextValues, type ContextValues, withContextValues } from "../log/context-values.ts";
import type { MetricsRegistry } from "../metrics/registry.ts";
import type { WebhookCalled } from "../observe/observer.ts";

/** The part of a webhook server that its handlers use. */
export interface WebhookServing {
  /** The registry of the metrics. */
  readonly registry: MetricsRegistry;
  /** Receives the review that a handler answered; undefined without an observer. */
  readonly observe?: ((call: Pick<WebhookCalled, "purpose" | "request" | "response">) => void) | undefined;
}

/**
 * Answers a call of a webhook. Any `HttpHandler` is one.
 *
 * Without a server, the handlers of this package count in the registry of the process.
 */
export type WebhookHandler = (request: Request, serving?: WebhookServing) => Promise<Response>;

/** Returns the values that `contextValues` returns in a handler; the first argument contains those of the manager. */
export type WebhookContextFunction = (values: ContextValues, request: Request) => ContextValues;

/** Runs a function with the values that a program derives from a request. */
export function withValuesOf<T>(contextFunc: WebhookContextFunction | undefined, request: Request, run: () => T): T {
  return contextFunc === undefined ? run() : withContextValues(contextFunc(contextValues(), request), run);
}
