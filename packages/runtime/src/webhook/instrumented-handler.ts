import type { HttpHandler } from "../http-server/http-handler.ts";
import { initializeWebhookMetrics, webhookMetrics } from "../metrics/webhook-metrics.ts";

/** Counts and times what a handler serves under its path. */
export function instrumented(webhook: string, handler: HttpHandler): HttpHandler {
  const metrics = webhookMetrics();
  initializeWebhookMetrics(metrics, webhook);
  return async (request) => {
    const stopTimer = metrics.latency.startTimer({ webhook });
    metrics.requestsInFlight.inc({ webhook });
    let code = 500;
    try {
      const response = await handler(request);
      code = response.status;
      return response;
    } finally {
      stopTimer();
      metrics.requestsInFlight.dec({ webhook });
      metrics.requests.inc({ webhook, code: String(code) });
    }
  };
}
