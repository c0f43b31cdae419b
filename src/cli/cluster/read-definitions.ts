import { isNotFound } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import type { SelectedCluster } from "../flags/cluster-flags.ts";

/**
 * Returns the CRDs with these names in a cluster; those that it does not have are left out.
 *
 * Fails: with an error of the kubeconfig, or of the API server.
 */
export async function readDefinitions(
  cluster: SelectedCluster,
  names: readonly string[],
): Promise<readonly CustomResourceDefinition[]> {
  const { createClient, getConfig, silentLogger } = await import("@kubescaffold/runtime");
  const client = createClient(await getConfig(cluster), { log: silentLogger });
  const found: CustomResourceDefinition[] = [];
  for (const name of names) {
    try {
      found.push(await client.get(CustomResourceDefinition, { name }));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  return found;
}
