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
import { NamespacePlusReconciler } from "../internal/controller/namespaceplus_controller.ts";
// +kubebuilder:scaffold:imports

const setupLog = log.withName("setup");

async function main(): Promise<void> {
  // To add a flag: managerFlags(argv, { flags: { "my-flag": { value: "default", help: "sets something" } } }).
  const flags = managerFlags(process.argv.slice(2));
  setLogger(createPinoLogger(logOptionsOf(flags)));
  if (flags.enableHttp2) setupLog.info("Serving HTTP/1.1 only, whatever --enable-http2 says");

  const mgr = await createManager(await getConfig({ kubeconfig: flags.kubeconfig }), {
    // Metrics, webhooks, health probes, and leader election as the flags set them; options below override them. Without a certificate the
    // metrics server creates one that no client can verify: see [METRICS-WITH-CERTS] in config/default/kustomization.yaml.
    ...managerOptionsOf(flags),
    leaderElectionId: "3bbb6940.demo",
    // Releases the lease when the manager stops, so that the next leader need not wait until it expires. Only for programs that exit right
    // after the manager stops, as this one does.
    // leaderElectionReleaseOnCancel: true,
  });

  await new NamespacePlusReconciler(mgr.getClient()).setupWithManager(mgr);
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
  // Exits at once: a manager that lost its lease must not continue.
  process.exit(1);
}
