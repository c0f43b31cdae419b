import path from "node:path";

import { type EnvironmentOptions, startTestEnvironment, type TestEnvironment } from "@kubescaffold/envtest";

/** Suite is an API server with the project's CRDs and a client, shared by the tests in this folder. */
export type Suite = TestEnvironment;

/** Starts an embedded API server, or connects to the cluster of the current kubeconfig if USE_EXISTING_CLUSTER=true is set. */
export async function startSuite(options: EnvironmentOptions = {}): Promise<Suite> {
  const configDirectory = path.join(import.meta.dirname, "../..", "config");
  return await startTestEnvironment({ configDirectory, ...options });
}
