import type { RestConfig } from "@kubescaffold/k8s";
import { createDiscoveryClient, createRestClient } from "@kubescaffold/runtime";

import { KubernetesVersionMismatchError } from "../failures/errors.ts";
import type { RequestedVersion } from "./requested-version.ts";

/** Compares the version that a server reports with one that was requested. Fails: {@link KubernetesVersionMismatchError}. */
export async function requireVersion(config: RestConfig, { minor, source }: RequestedVersion): Promise<void> {
  if (source === "default") return;
  const client = createRestClient(config);
  try {
    const { gitVersion } = await createDiscoveryClient(client).serverVersion();
    if (!gitVersion.startsWith(`v${minor}.`)) throw new KubernetesVersionMismatchError(minor, gitVersion, source);
  } finally {
    await client.close();
  }
}
