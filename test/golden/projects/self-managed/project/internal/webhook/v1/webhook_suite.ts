import path from "node:path";

import {
  type EnvironmentOptions,
  projectEnvironment,
  startWebhookEnvironment,
  type WebhookEnvironment,
} from "@kubescaffold/envtest";
import { setupCoralWebhookWithManager } from "./coral_webhook.ts";
import { setupDeploymentWebhookWithManager } from "./deployment_webhook.ts";
// +kubebuilder:scaffold:imports

const CONFIG = path.join(import.meta.dirname, "../../..", "config");

/** ENVIRONMENT configures the API server of the tests, with the project's CRDs and webhooks. */
export const ENVIRONMENT: EnvironmentOptions = projectEnvironment(CONFIG, { webhooks: true });

/** WebhookSuite is an API server that calls the project's webhooks, and a client, shared by the tests in this folder. */
export type WebhookSuite = WebhookEnvironment;

/** Starts an API server, and a manager that serves the webhooks in this folder. */
export async function startWebhookSuite(options: EnvironmentOptions = ENVIRONMENT): Promise<WebhookSuite> {
  return await startWebhookEnvironment(options, (mgr) => {
    setupCoralWebhookWithManager(mgr);
    setupDeploymentWebhookWithManager(mgr);
    // +kubebuilder:scaffold:webhook
  });
}
