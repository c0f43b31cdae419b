import type { MetricsRegistry } from "../metrics/registry.ts";

/** The part of a webhook server that its handlers use. */
export interface WebhookServing {
  /** The registry of the metrics. */
  readonly registry: MetricsRegistry;
}

/**
 * Answers a call of a webhook. Any `HttpHandler` is one.
 *
 * Without a server, the handlers of this package count in the registry of the process.
 */
export type WebhookHandler = (request: Request, serving?: WebhookServing) => Promise<Response>;
