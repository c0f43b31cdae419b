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
  type ManagerOptions,
  type NamespaceScopes,
  ping,
  setLogger,
  setupSignalHandler,
} from "@kubescaffold/runtime";

import { parseFlags } from "./flags.ts";
import { CoralReconciler } from "../internal/controller/coral_controller.ts";
import { setupCoralWebhookWithManager as setupCoralV1Webhook } from "../internal/webhook/v1/coral_webhook.ts";
import { MemcachedReconciler } from "../internal/controller/memcached_controller.ts";
import { BusyboxReconciler } from "../internal/controller/busybox_controller.ts";
import { setupMemcachedWebhookWithManager as setupMemcachedV1alpha1Webhook } from "../internal/webhook/v1alpha1/memcached_webhook.ts";
// +kubebuilder:scaffold:imports

const setupLog = log.withName("setup");

async function main(): Promise<void> {
  const flags = parseFlags(process.argv.slice(2));
  setLogger(createPinoLogger(logOptionsOf(flags)));
  if (flags.enableHttp2) setupLog.info("Serving HTTP/1.1 only, whatever --enable-http2 says");

  const options: ManagerOptions = {
    // config/default serves metrics on :8443; "0" switches them off. Over HTTPS readers must be known and allowed to (config/rbac). Without a
    // certificate the server makes one of its own, which nobody can verify: see [METRICS-WITH-CERTS] in config/default/kustomization.yaml.
    metrics: {
      bindAddress: flags.metricsBindAddress,
      secureServing: flags.metricsSecure,
      ...(flags.metricsSecure ? { filter: "authentication-and-authorization" } : {}),
      ...(flags.metricsCertPath === ""
        ? {}
        : { certDir: flags.metricsCertPath, certName: flags.metricsCertName, keyName: flags.metricsCertKey }),
    },
    webhook: {
      port: flags.webhookPort,
      ...(flags.webhookCertPath === ""
        ? {}
        : { certDir: flags.webhookCertPath, certName: flags.webhookCertName, keyName: flags.webhookCertKey }),
    },
    healthProbeBindAddress: flags.healthProbeBindAddress,
    leaderElection: flags.leaderElect,
    leaderElectionId: "722ef996.example.com",
    // Gives the lease up when the manager stops, so that the next one need not wait for it to run out. Only for programs that end right
    // then, as this one does; switch it on if you add nothing that works on after that.
    // leaderElectionReleaseOnCancel: true,
    // The manager may see these namespaces and no other.
    cache: { defaultNamespaces: watchNamespaces() },
  };
  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), options);

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

// WATCH_NAMESPACE holds one namespace, or several with commas between; config/manager sets it to the manager's own.
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
  // At once: who has lost the lead must not go on working.
  process.exit(1);
}
