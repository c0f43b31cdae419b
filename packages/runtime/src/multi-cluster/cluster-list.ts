import type { RestConfig } from "@kubescaffold/k8s";
import { whenAborted } from "@kubescaffold/platform/clock";

import type { ClusterEngagement, ClusterProvider } from "./cluster-provider.ts";

/** A list of clusters that a program changes while a manager runs. */
export interface ClusterList extends ClusterProvider {
  /** Adds a cluster; one of the same name is disengaged first. */
  set(name: string, config: RestConfig): Promise<void>;
  /** Removes a cluster. Resolves when it has ended. */
  delete(name: string): Promise<void>;
}

/**
 * Creates a provider of clusters with known configs, for example of a kubeconfig's contexts, or of several embedded servers in tests.
 *
 * @example
 * const kubeconfig = await readKubeconfig(kubeconfigPaths());
 * const names = ["eu", "us"];
 * const clusters = createClusterList(
 *   Object.fromEntries(await Promise.all(names.map(async (name) => [name, await restConfigOf(kubeconfig, name)] as const))),
 * );
 */
export function createClusterList(configs: Readonly<Record<string, RestConfig>> = {}): ClusterList {
  return new ConfiguredClusters(configs);
}

class ConfiguredClusters implements ClusterList {
  readonly #configs: Map<string, RestConfig>;
  readonly #managers = new Set<ClusterEngagement>();

  constructor(configs: Readonly<Record<string, RestConfig>>) {
    this.#configs = new Map(Object.entries(configs));
  }

  async set(name: string, config: RestConfig): Promise<void> {
    while (this.#configs.has(name)) {
      await this.delete(name);
    }
    this.#configs.set(name, config);
    for (const clusters of this.#managers) {
      clusters.engage(name, config);
    }
  }

  async delete(name: string): Promise<void> {
    if (this.#configs.delete(name)) {
      await Promise.all([...this.#managers].map(async (clusters) => await clusters.disengage(name)));
    }
  }

  async start(clusters: ClusterEngagement, signal: AbortSignal): Promise<void> {
    for (const [name, config] of this.#configs) {
      clusters.engage(name, config);
    }
    this.#managers.add(clusters);
    await whenAborted(signal);
    this.#managers.delete(clusters);
  }
}
