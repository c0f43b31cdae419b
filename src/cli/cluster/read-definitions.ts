import { isNotFound } from "@kubescaffold/k8s";
import { CustomResourceDefinition } from "@kubescaffold/k8s/apiextensions/v1";

import type { SelectedCluster } from "../flags/cluster-flags.ts";
import { connect } from "./connect.ts";

/**
 * Returns the CRDs with these names in a cluster; those that it does not have are left out.
 *
 * Fails: with an error of the kubeconfig, or of the API server.
 */
export async function readDefinitions(
  cluster: SelectedCluster,
  names: readonly string[],
): Promise<readonly CustomResourceDefinition[]> {
  const client = await connect(cluster);
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
