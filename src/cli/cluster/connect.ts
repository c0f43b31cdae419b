import type { LiveClient } from "@kubescaffold/runtime";

import type { SelectedCluster } from "../flags/cluster-flags.ts";

/** Returns a client of the cluster that flags select, without a log. Fails: with an error of the kubeconfig. */
export async function connect(cluster: SelectedCluster): Promise<LiveClient> {
  const { createClient, getConfig, silentLogger } = await import("@kubescaffold/runtime");
  return createClient(await getConfig(cluster), { log: silentLogger });
}
