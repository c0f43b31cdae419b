import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { createClient, createManager, silentLogger, type WatchingClient } from "@kubescaffold/runtime";
import { setupRelayWebhookWithManager } from "./relay_webhook.ts";
// +kubebuilder:scaffold:imports

/** What the tests of this folder share: an API server that calls the project's webhooks, and a client of it. */
export interface WebhookSuite {
  readonly config: RestConfig;
  readonly client: WatchingClient;
  readonly stop: () => Promise<void>;
}

/** Starts an API server and a manager with the webhooks of this folder inside this process. */
export async function startWebhookSuite(): Promise<WebhookSuite> {
  const root = path.join(import.meta.dirname, "../../..");
  const environment = new Environment({
    crdDirectoryPaths: [path.join(root, "config", "crd", "bases")],
    webhooks: { paths: [path.join(root, "config", "webhook")] },
  });
  const config = await environment.start();
  const { host, port, certDirectory } = environment.webhookServing;
  const mgr = await createManager(config, {
    logger: silentLogger,
    leaderElection: false,
    metrics: { bindAddress: "0" },
    webhook: { host, port, certDir: certDirectory },
  });
  setupRelayWebhookWithManager(mgr);
  // +kubebuilder:scaffold:webhook

  const stopping = new AbortController();
  const running = mgr.start(stopping.signal);
  await Promise.race([mgr.getWebhookServer().listening, running]);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    await environment.stop();
  };
  return { config, client: createClient(config), stop };
}
