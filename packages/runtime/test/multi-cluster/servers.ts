import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createRecordingLogger, type RecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createMultiClusterManager } from "../../src/multi-cluster/create-multi-cluster-manager.ts";
import type { MultiClusterManager, MultiClusterOptions } from "../../src/multi-cluster/multi-cluster-manager.ts";

/** An embedded server. */
export interface Server {
  readonly environment: Environment;
  readonly config: RestConfig;
  readonly client: Client;
}

/** A running manager with clusters. */
export interface Running {
  readonly manager: Manager;
  readonly clusters: MultiClusterManager;
  readonly logger: RecordingLogger;
  readonly start: () => void;
  /** Resolves with the failure of the manager when it has ended. */
  readonly ended: () => Promise<unknown>;
  /** Stops the manager; resolves with its failure. */
  readonly stop: () => Promise<unknown>;
}

/** Embedded servers, and managers that are stopped with them. */
export class Servers {
  readonly #servers: Server[] = [];
  readonly #running = new Set<Running>();

  async start(): Promise<Server> {
    const environment = new Environment({ backend: "embedded" });
    const config = await environment.start();
    const server = { environment, config, client: createClient(config) };
    this.#servers.push(server);
    return server;
  }

  /** Creates a manager of a server. */
  async manager(
    { config }: Server,
    options: MultiClusterOptions = {},
    managerOptions: ManagerOptions = {},
  ): Promise<Running> {
    const logger = createRecordingLogger();
    const manager = await createManager(config, {
      logger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      ...managerOptions,
    });
    const stopping = new AbortController();
    let ended: Promise<unknown> = Promise.resolve(undefined);
    const running: Running = {
      manager,
      clusters: createMultiClusterManager(manager, options),
      logger,
      start: () => {
        ended = manager.start(stopping.signal).then(
          () => undefined,
          (error: unknown) => error,
        );
      },
      ended: async () => await ended,
      stop: async () => {
        stopping.abort();
        this.#running.delete(running);
        return await ended;
      },
    };
    this.#running.add(running);
    return running;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#running].map(async (running) => await running.stop()));
    await Promise.all(this.#servers.map(async ({ environment }) => await environment.stop()));
  }
}

/** Creates a ConfigMap in the namespace default. */
export async function createConfigMap(
  client: Client,
  name: string,
  labels: Record<string, string> = {},
): Promise<void> {
  await client.create(ConfigMap.create({ metadata: { namespace: "default", name, labels } }));
}
