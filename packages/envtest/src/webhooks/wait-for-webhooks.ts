import { connect } from "node:tls";

import { checkNumbers } from "@kubescaffold/k8s";
import { LONGEST_TIMER_MS } from "@kubescaffold/platform/clock";

import { waitUntil } from "../eventually/wait-until.ts";
import type { WebhookServing } from "../install/webhook-serving.ts";

/** Options of {@link waitForWebhooks}. */
export interface WaitForWebhooksOptions {
  /** Milliseconds until the server must answer. Default: 10000. */
  readonly timeoutMs?: number;
  /** Milliseconds between two attempts. Default: 100. */
  readonly intervalMs?: number;
}

const TIMEOUT_MS = 10_000;
const INTERVAL_MS = 100;

/**
 * Waits until the webhook server answers with its TLS certificate at the address that the API server calls, such as that of a manager in another process.
 *
 * Fails: `EnvironmentTimeoutError`.
 *
 * controller-runtime: pkg/envtest.WaitForWebhooks
 *
 * @example
 * await waitForWebhooks(environment.webhookServing);
 */
export async function waitForWebhooks(
  serving: Pick<WebhookServing, "url" | "ca">,
  { timeoutMs = TIMEOUT_MS, intervalMs = INTERVAL_MS }: WaitForWebhooksOptions = {},
): Promise<void> {
  checkNumbers("the wait for webhooks", { timeoutMs, intervalMs }, { timeoutMs: "duration", intervalMs: "duration" });
  await waitUntil(() => answers(serving, Math.max(timeoutMs, 1)), {
    what: `the webhook server at ${serving.url}`,
    timeoutMs,
    intervalMs,
  });
}

async function answers({ url, ca }: Pick<WebhookServing, "url" | "ca">, timeoutMs: number): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/gu, "");
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port), ca, timeout: Math.min(timeoutMs, LONGEST_TIMER_MS) });
    const end = (isAnswer: boolean): void => {
      socket.destroy();
      resolve(isAnswer);
    };
    socket.once("secureConnect", () => end(true));
    socket.once("timeout", () => end(false));
    socket.once("error", () => end(false));
  });
}
