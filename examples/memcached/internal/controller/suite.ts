/*
Copyright 2026 The Kubescaffold authors.

SPDX-License-Identifier: Apache-2.0
*/

import path from "node:path";

import { type EnvironmentOptions, startTestEnvironment, type TestEnvironment } from "@kubescaffold/envtest";

/** An API server with the project's CRDs, and a client of it, shared by the tests of this folder. */
export type Suite = TestEnvironment;

/** Starts an API server inside this process; with USE_EXISTING_CLUSTER=true the cluster of the current kubeconfig takes its place. */
export async function startSuite(options: EnvironmentOptions = {}): Promise<Suite> {
  const configDirectory = path.join(import.meta.dirname, "../..", "config");
  return await startTestEnvironment({ configDirectory, ...options });
}
