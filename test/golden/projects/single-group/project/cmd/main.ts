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
  managerFlags,
  managerOptionsOf,
  ping,
  setLogger,
  setupSignalHandler,
} from "@kubescaffold/runtime";
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
  // To add a flag: managerFlags(argv, { flags: { "my-flag": { value: "default", help: "sets something" } } }).
  const flags = managerFlags(process.argv.slice(2));
  setLogger(createPinoLogger(logOptionsOf(flags)));
  if (flags.enableHttp2) setupLog.info("Serving HTTP/1.1 only: --enable-http2 has no effect");

  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), {
    // Configures metrics, webhooks, health probes, and leader election from the flags; options below override them. Without a certificate, the
    // metrics server uses a self-signed one: see [METRICS-WITH-CERTS] in config/default/kustomization.yaml.
    ...managerOptionsOf(flags),
    leaderElectionId: "502955cb.example.com",
    // Releases the lease when the manager stops, so the next leader does not wait until it expires. Safe only if the program exits
    // immediately after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
  });

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
  // Exits immediately: a manager that lost its lease must not continue.
  process.exit(1);
}
