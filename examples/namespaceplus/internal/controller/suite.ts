/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { type Client, createClient } from "@kubescaffold/runtime";

/** What the tests of this folder share: an API server that has the project's CRDs, and a client of it. */
export interface Suite {
  readonly config: RestConfig;
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

/** Starts an API server inside this process; with USE_EXISTING_CLUSTER=true the cluster of the current kubeconfig takes its place. */
export async function startSuite(): Promise<Suite> {
  const environment = new Environment({
    crdDirectoryPaths: [path.join(import.meta.dirname, "../..", "config", "crd", "bases")],
    errorIfCrdPathMissing: true,
  });
  const config = await environment.start();
  return { config, client: createClient(config), stop: () => environment.stop() };
}
