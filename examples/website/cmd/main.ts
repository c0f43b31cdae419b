/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
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
import { setupWebsiteController } from "../internal/controller/website_controller.ts";
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
    leaderElectionId: "fcefccca.demo",
    // Releases the lease when the manager stops, so the next leader does not wait until it expires. Safe only if the program exits
    // immediately after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
  });

  await setupWebsiteController(mgr);
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
