import path from "node:path";

import {
  type EnvironmentOptions,
  projectEnvironment,
  startWebhookEnvironment,
  type WebhookEnvironment,
} from "@kubescaffold/envtest";
import { setupBarWebhookWithManager } from "./bar_webhook.ts";
// +kubebuilder:scaffold:imports

const CONFIG = path.join(import.meta.dirname, "../../../..", "config");

/** The API server of the tests: it has the project's CRDs, and calls the project's webhooks. */
export const ENVIRONMENT: EnvironmentOptions = projectEnvironment(CONFIG, { webhooks: true });

/** An API server that calls the project's webhooks, and a client of it, shared by the tests of this folder. */
export type WebhookSuite = WebhookEnvironment;

/** Starts an API server and a manager with the webhooks of this folder inside this process. */
export async function startWebhookSuite(options: EnvironmentOptions = ENVIRONMENT): Promise<WebhookSuite> {
  return await startWebhookEnvironment(options, (mgr) => {
    setupBarWebhookWithManager(mgr);
    // +kubebuilder:scaffold:webhook
  });
}
