/*
 * Of the Acme lagoon office. All rights reserved.
 */

import process from "node:process";

import {
  createManager,
  createPinoLogger,
  getConfig,
  log,
  logOptionsOf,
  managerFlags,
  managerOptionsOf,
  type NamespaceScopes,
  ping,
  setLogger,
  setupSignalHandler,
} from "@kubescaffold/runtime";
import { CoralReconciler } from "../internal/controller/coral_controller.ts";
import { setupCoralWebhookWithManager as setupCoralV1Webhook } from "../internal/webhook/v1/coral_webhook.ts";
import { MemcachedReconciler } from "../internal/controller/memcached_controller.ts";
import { BusyboxReconciler } from "../internal/controller/busybox_controller.ts";
import { setupMemcachedWebhookWithManager as setupMemcachedV1alpha1Webhook } from "../internal/webhook/v1alpha1/memcached_webhook.ts";
// +kubebuilder:scaffold:imports

const setupLog = log.withName("setup");

async function main(): Promise<void> {
  // To add a flag: managerFlags(argv, { flags: { "my-flag": { value: "default", help: "sets something" } } }).
  const flags = managerFlags(process.argv.slice(2));
  setLogger(createPinoLogger(logOptionsOf(flags)));
  if (flags.enableHttp2) setupLog.info("Serving HTTP/1.1 only: --enable-http2 has no effect");

  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), {
    // Configures metrics, webhooks, health probes, and leader election from the flags; options below override them. Without a certificate, the
    // metrics server uses a self-signed one: see [METRICS-WITH-CERTS] in config/default/kustomization.yaml.
    ...managerOptionsOf(flags),
    leaderElectionId: "722ef996.example.com",
    // Releases the lease when the manager stops, so the next leader does not wait until it expires. Safe only if the program exits
    // immediately after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
    // Restricts the manager to these namespaces.
    cache: { defaultNamespaces: watchNamespaces() },
  });

  await new CoralReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCoralV1Webhook(mgr);
  }
  await new MemcachedReconciler(mgr.getClient()).setupWithManager(mgr);
  await new BusyboxReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupMemcachedV1alpha1Webhook(mgr);
  }
  // +kubebuilder:scaffold:builder

  mgr.addHealthzCheck("healthz", ping);
  mgr.addReadyzCheck("readyz", ping);

  const signal = setupSignalHandler();
  setupLog.info("Starting manager");
  await mgr.start(signal);
}

// WATCH_NAMESPACE is a comma-separated list of namespaces; config/manager sets it to the manager's own namespace.
function watchNamespaces(): NamespaceScopes {
  const names = (process.env["WATCH_NAMESPACE"] ?? "").split(",").map((name) => name.trim());
  const namespaces = names.filter((name) => name !== "");
  if (namespaces.length === 0) throw new Error("WATCH_NAMESPACE must name the namespaces to watch");
  return Object.fromEntries(namespaces.map((name) => [name, {}]));
}

try {
  await main();
} catch (error) {
  setupLog.error(error, "Failed to run manager");
  // Exits immediately: a manager that lost its lease must not continue.
  process.exit(1);
}
