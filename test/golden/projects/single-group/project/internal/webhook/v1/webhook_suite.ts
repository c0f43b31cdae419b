/*
Copyright <year> Acme.
*/

import { existsSync } from "node:fs";
import path from "node:path";

import { Environment, type EnvironmentOptions } from "@kubescaffold/envtest";
import { type Client, createClient, createManager, silentLogger } from "@kubescaffold/runtime";
import { setupCaptainWebhookWithManager } from "./captain_webhook.ts";
import { setupFirstMateWebhookWithManager } from "./firstmate_webhook.ts";
import { setupAdmiralWebhookWithManager } from "./admiral_webhook.ts";
import { setupSailorWebhookWithManager } from "./sailor_webhook.ts";
import { setupDeploymentWebhookWithManager } from "./deployment_webhook.ts";
import { setupPodWebhookWithManager } from "./pod_webhook.ts";
// +kubebuilder:scaffold:imports

const CONFIG = path.join(import.meta.dirname, "../../..", "config");

/** The API server of the tests: it has the project's CRDs, and calls the project's webhooks. */
export const ENVIRONMENT: EnvironmentOptions = {
  crdDirectoryPaths: [path.join(CONFIG, "crd", "bases")],
  // A project with kinds of its own has the folder: then their CRDs must be in it.
  errorIfCrdPathMissing: existsSync(path.join(CONFIG, "crd")),
  webhooks: { paths: [path.join(CONFIG, "webhook")] },
};

/** What the tests of this folder share: an API server that calls the project's webhooks, and a client of it. */
export interface WebhookSuite {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

/** Starts an API server and a manager with the webhooks of this folder inside this process. */
export async function startWebhookSuite(options: EnvironmentOptions = ENVIRONMENT): Promise<WebhookSuite> {
  const environment = new Environment(options);
  const restConfig = await environment.start();
  const { host, port, certDirectory } = environment.webhookServing;
  const mgr = await createManager(restConfig, {
    logger: silentLogger,
    leaderElection: false,
    metrics: { bindAddress: "0" },
    webhook: { host, port, certDir: certDirectory },
  });
  setupCaptainWebhookWithManager(mgr);
  setupFirstMateWebhookWithManager(mgr);
  setupAdmiralWebhookWithManager(mgr);
  setupSailorWebhookWithManager(mgr);
  setupDeploymentWebhookWithManager(mgr);
  setupPodWebhookWithManager(mgr);
  // +kubebuilder:scaffold:webhook

  const stopping = new AbortController();
  const running = mgr.start(stopping.signal);
  await Promise.race([mgr.getWebhookServer().listening, running]);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    await environment.stop();
  };
  return { client: createClient(restConfig), stop };
}
