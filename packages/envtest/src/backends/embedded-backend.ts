import { createEmbeddedCluster, type ClusterListener, type EmbeddedCluster } from "@kubescaffold/apiserver";

import type { EnvironmentOptions } from "../environment-options.ts";
import type { Backend } from "./backend.ts";

/** Makes the embedded server; it listens, with TLS, when somebody asks how another process reaches it. */
export async function startEmbeddedBackend({ clock, controllers, workloads }: EnvironmentOptions): Promise<Backend> {
  const cluster = createEmbeddedCluster({
    ...(clock === undefined ? {} : { clock }),
    lifecycleControllers: controllers !== false,
    workloadSimulation: workloads === true,
  });
  cluster.server.start();
  return backendOf(cluster);
}

function backendOf(cluster: EmbeddedCluster): Backend {
  let listener: Promise<ClusterListener> | undefined;
  return {
    config: cluster.config,
    cluster,
    listen: async () => {
      listener ??= cluster.listen({ tls: true });
      return (await listener).config;
    },
    addUser: async (user) => cluster.addUser(user, listener === undefined ? undefined : (await listener).config),
    stop: async () => cluster.close(),
  };
}
