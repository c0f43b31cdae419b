/*
Copyright <year> Acme.
*/

import process from "node:process";

import {
  createManager,
  createPinoLogger,
  getConfig,
  log,
  logOptionsOf,
  type ManagerOptions,
  ping,
  setLogger,
  setupSignalHandler,
} from "@kubescaffold/runtime";

import { parseFlags } from "./flags.ts";
import { CaptainReconciler } from "../internal/controller/captain_controller.ts";
import { setupCaptainWebhookWithManager as setupCaptainV1Webhook } from "../internal/webhook/v1/captain_webhook.ts";
import { CaptainBackupReconciler } from "../internal/controller/captain_backup_controller.ts";
import { FirstMateReconciler } from "../internal/controller/firstmate_controller.ts";
import { setupFirstMateWebhookWithManager as setupFirstMateV1Webhook } from "../internal/webhook/v1/firstmate_webhook.ts";
import { AdmiralReconciler } from "../internal/controller/admiral_controller.ts";
import { setupAdmiralWebhookWithManager as setupAdmiralV1Webhook } from "../internal/webhook/v1/admiral_webhook.ts";
import { SailorReconciler } from "../internal/controller/sailor_controller.ts";
import { setupSailorWebhookWithManager as setupSailorV1Webhook } from "../internal/webhook/v1/sailor_webhook.ts";
import { DeploymentReconciler } from "../internal/controller/deployment_controller.ts";
import { setupDeploymentWebhookWithManager as setupDeploymentV1Webhook } from "../internal/webhook/v1/deployment_webhook.ts";
import { setupPodWebhookWithManager as setupPodV1Webhook } from "../internal/webhook/v1/pod_webhook.ts";
import { BeaconReconciler } from "../internal/controller/beacon_controller.ts";
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
    leaderElectionId: "502955cb.example.com",
    // Gives the lease up when the manager stops, so that the next one need not wait for it to run out. Only for programs that end right
    // then, as this one does; switch it on if you add nothing that works on after that.
    // leaderElectionReleaseOnCancel: true,
  };
  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), options);

  await new CaptainReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCaptainV1Webhook(mgr);
  }
  await new CaptainBackupReconciler(mgr.getClient()).setupWithManager(mgr);
  await new FirstMateReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupFirstMateV1Webhook(mgr);
  }
  await new AdmiralReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupAdmiralV1Webhook(mgr);
  }
  await new SailorReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupSailorV1Webhook(mgr);
  }
  await new DeploymentReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupDeploymentV1Webhook(mgr);
  }
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupPodV1Webhook(mgr);
  }
  await new BeaconReconciler(mgr.getClient()).setupWithManager(mgr);
  // +kubebuilder:scaffold:builder

  mgr.addHealthzCheck("healthz", ping);
  mgr.addReadyzCheck("readyz", ping);

  const signal = setupSignalHandler();
  setupLog.info("Starting manager");
  await mgr.start(signal);
}

try {
  await main();
} catch (error) {
  setupLog.error(error, "Failed to run manager");
  // At once: who has lost the lead must not go on working.
  process.exit(1);
}
