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
    leaderElectionId: "e3203b2f.example.com",
    // Gives the lease up when the manager stops, so that the next one need not wait for it to run out. Only for programs that end right
    // then, as this one does; switch it on if you add nothing that works on after that.
    // leaderElectionReleaseOnCancel: true,
  };
  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), options);

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
  // At once: who has lost the lead must not go on working.
  process.exit(1);
}
