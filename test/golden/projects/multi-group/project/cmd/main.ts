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
import { CaptainReconciler as CrewCaptainReconciler } from "../internal/controller/crew/captain_controller.ts";
import { setupCaptainWebhookWithManager as setupCrewCaptainV1Webhook } from "../internal/webhook/crew/v1/captain_webhook.ts";
import { FrigateReconciler as ShipFrigateReconciler } from "../internal/controller/ship/frigate_controller.ts";
import { setupFrigateWebhookWithManager as setupShipFrigateV1beta1Webhook } from "../internal/webhook/ship/v1beta1/frigate_webhook.ts";
import { DestroyerReconciler as ShipDestroyerReconciler } from "../internal/controller/ship/destroyer_controller.ts";
import { setupDestroyerWebhookWithManager as setupShipDestroyerV1Webhook } from "../internal/webhook/ship/v1/destroyer_webhook.ts";
import { KrakenReconciler as SeaCreaturesKrakenReconciler } from "../internal/controller/sea-creatures/kraken_controller.ts";
import { HealthCheckPolicyReconciler as FooPolicyHealthCheckPolicyReconciler } from "../internal/controller/foo.policy/healthcheckpolicy_controller.ts";
import { BarReconciler as FooBarReconciler } from "../internal/controller/foo/bar_controller.ts";
import { BarReconciler as FizBarReconciler } from "../internal/controller/fiz/bar_controller.ts";
import { DeploymentReconciler as AppsDeploymentReconciler } from "../internal/controller/apps/deployment_controller.ts";
import { setupPodWebhookWithManager as setupCorePodV1Webhook } from "../internal/webhook/core/v1/pod_webhook.ts";
import { DestroyerRefitReconciler as ShipDestroyerRefitReconciler } from "../internal/controller/ship/destroyer_refit_controller.ts";
import { PrawnKeeperReconciler as SeaCreaturesPrawnKeeperReconciler } from "../internal/controller/sea-creatures/prawn_keeper_controller.ts";
import { setupBarWebhookWithManager as setupFooBarV1Webhook } from "../internal/webhook/foo/v1/bar_webhook.ts";
import { BuoyReconciler as FizBuoyReconciler } from "../internal/controller/fiz/buoy_controller.ts";
import { BuoyReconciler as CrewBuoyReconciler } from "../internal/controller/crew/buoy_controller.ts";
import { setupIssuerWebhookWithManager as setupCertManagerIssuerV1Webhook } from "../internal/webhook/cert-manager/v1/issuer_webhook.ts";
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
    leaderElectionId: "e3203b2f.example.com",
    // Releases the lease when the manager stops, so the next leader does not wait until it expires. Safe only if the program exits
    // immediately after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
  });

  await new CrewCaptainReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCrewCaptainV1Webhook(mgr);
  }
  await new ShipFrigateReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupShipFrigateV1beta1Webhook(mgr);
  }
  await new ShipDestroyerReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupShipDestroyerV1Webhook(mgr);
  }
  await new SeaCreaturesKrakenReconciler(mgr.getClient()).setupWithManager(mgr);
  await new FooPolicyHealthCheckPolicyReconciler(mgr.getClient()).setupWithManager(mgr);
  await new FooBarReconciler(mgr.getClient()).setupWithManager(mgr);
  await new FizBarReconciler(mgr.getClient()).setupWithManager(mgr);
  await new AppsDeploymentReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCorePodV1Webhook(mgr);
  }
  await new ShipDestroyerRefitReconciler(mgr.getClient()).setupWithManager(mgr);
  await new SeaCreaturesPrawnKeeperReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupFooBarV1Webhook(mgr);
  }
  await new FizBuoyReconciler(mgr.getClient()).setupWithManager(mgr);
  await new CrewBuoyReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCertManagerIssuerV1Webhook(mgr);
  }
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
