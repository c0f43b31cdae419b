/*
 * Of the Acme lagoon office. All rights reserved.
 */

import { existsSync } from "node:fs";
import path from "node:path";

import { Environment, type EnvironmentOptions } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { type Client, createClient, createManager, createPinoLogger, type Manager } from "@kubescaffold/runtime";

/** What the tests of this folder share: an API server that has the project's CRDs, and a client of it. */
export interface Suite {
  readonly config: RestConfig;
  readonly client: Client;
  /** Starts a manager with what is set up in it, which may do what the +kubebuilder:rbac markers say; returns what stops it. */
  readonly startManager: (setup: (mgr: Manager) => Promise<void>) => Promise<() => Promise<void>>;
  readonly stop: () => Promise<void>;
}

const ACCOUNT = { namespace: "default", name: "controller-manager" };

/** Starts an API server inside this process; with USE_EXISTING_CLUSTER=true the cluster of the current kubeconfig takes its place. */
export async function startSuite(options: EnvironmentOptions = {}): Promise<Suite> {
  const manifests = path.join(import.meta.dirname, "../..", "config");
  const crds = path.join(manifests, "crd");
  const environment = new Environment({
    crdDirectoryPaths: [path.join(crds, "bases")],
    // A project with kinds of its own has the folder: then their CRDs must be in it.
    errorIfCrdPathMissing: existsSync(crds),
    ...options,
  });
  const config = await environment.start();
  return {
    config,
    client: createClient(config),
    startManager: async (setup) => {
      const roles = [path.join(manifests, "rbac", "role.yaml")];
      return await startManager(await environment.addServiceAccount(ACCOUNT, { roles }), setup);
    },
    stop: () => environment.stop(),
  };
}

async function startManager(config: RestConfig, setup: (mgr: Manager) => Promise<void>): Promise<() => Promise<void>> {
  const mgr = await createManager(config, {
    logger: createPinoLogger({ errorsOnly: true, development: true }),
    leaderElection: false,
    metrics: { bindAddress: "0" },
  });
  await setup(mgr);
  const stopping = new AbortController();
  const running = mgr.start(stopping.signal);
  return async () => {
    stopping.abort();
    await running;
  };
}
