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
  selfManagedFromEnv,
  setLogger,
  setupSignalHandler,
} from "@kubescaffold/runtime";
import { CoralReconciler } from "../internal/controller/coral_controller.ts";
import { setupCoralWebhookWithManager as setupCoralV1Webhook } from "../internal/webhook/v1/coral_webhook.ts";
import { setupDeploymentWebhookWithManager as setupDeploymentV1Webhook } from "../internal/webhook/v1/deployment_webhook.ts";
// +kubebuilder:scaffold:imports

const setupLog = log.withName("setup");

async function main(): Promise<void> {
  // To add a flag: managerFlags(argv, { flags: { "my-flag": { value: "default", help: "sets something" } } }).
  const flags = managerFlags(process.argv.slice(2));
  setLogger(createPinoLogger(logOptionsOf(flags)));
  if (flags.enableHttp2) setupLog.info("Serving HTTP/1.1 only: --enable-http2 has no effect");

  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), {
    // Configures metrics, webhooks, health probes, and leader election from the flags; options below override them.
    ...managerOptionsOf(flags),
    leaderElectionId: "347f9d45.example.com",
    // Releases the lease when the manager stops, so the next leader does not wait until it expires. Safe only if the program exits
    // immediately after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
    // Makes, serves, and replaces the certificates of webhooks and metrics, with the names that config/default/manager_certificates_patch.yaml sets.
    // Without them, as on your machine, certificates are files.
    certificates: selfManagedFromEnv({
      customResourceDefinitions: [
        "corals.reef.example.com",
        // +kubebuilder:scaffold:conversions
      ],
    }),
  });

  await new CoralReconciler(mgr.getClient()).setupWithManager(mgr);
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupCoralV1Webhook(mgr);
  }
  if (process.env["ENABLE_WEBHOOKS"] !== "false") {
    setupDeploymentV1Webhook(mgr);
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
