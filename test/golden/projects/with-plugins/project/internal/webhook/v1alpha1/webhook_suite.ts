/*
Copyright <year> Acme.
*/

import { existsSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { type Client, createClient, createManager, silentLogger } from "@kubescaffold/runtime";
import { setupMemcachedWebhookWithManager } from "./memcached_webhook.ts";
// +kubebuilder:scaffold:imports

/** What the tests of this folder share: an API server that calls the project's webhooks, and a client of it. */
export interface WebhookSuite {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

/** Starts an API server and a manager with the webhooks of this folder inside this process. */
export async function startWebhookSuite(): Promise<WebhookSuite> {
  const config = path.join(import.meta.dirname, "../../..", "config");
  const environment = new Environment({
    crdDirectoryPaths: [path.join(config, "crd", "bases")],
    // A project with kinds of its own has the folder: then their CRDs must be in it.
    errorIfCrdPathMissing: existsSync(path.join(config, "crd")),
    webhooks: { paths: [path.join(config, "webhook")] },
  });
  const restConfig = await environment.start();
  const { host, port, certDirectory } = environment.webhookServing;
  const mgr = await createManager(restConfig, {
    logger: silentLogger,
    leaderElection: false,
    metrics: { bindAddress: "0" },
    webhook: { host, port, certDir: certDirectory },
  });
  setupMemcachedWebhookWithManager(mgr);
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
