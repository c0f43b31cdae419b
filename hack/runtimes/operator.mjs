// An operator and the embedded server in one process, for runtimes other than Node: prints what the operator wrote, as JSON.
import process from "node:process";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { createManager, newControllerManagedBy, silentLogger } from "@kubescaffold/runtime";

const cluster = createEmbeddedCluster();
cluster.server.start();
const { config, close } = await cluster.listen({ tls: true });
const manager = await createManager(config, {
  logger: silentLogger,
  metrics: { bindAddress: "127.0.0.1:0" },
  healthProbeBindAddress: "0",
  leaderElection: { enabled: true, id: "smoke", namespace: "default" },
});
const client = manager.getClient();
const written = withResolvers();
await newControllerManagedBy(manager)
  .for(ConfigMap)
  .complete(async ({ name, namespace }) => {
    if (name !== "input") return {};
    const input = await client.get(ConfigMap, { namespace, name });
    const output = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "output", namespace }, data: input.data };
    written.resolve(await client.create(output));
    return {};
  });
const stop = new AbortController();
const running = manager.start(stop.signal);
running.catch(written.reject);
await client.create({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "input", namespace: "default" },
  data: { color: "blue" },
});
const { metadata, data } = await written.promise;
stop.abort();
await running;
await close?.();
await cluster.close();
console.log(JSON.stringify({ name: metadata.name, data }));
process.exit(0);

function withResolvers() {
  const resolvers = {};
  resolvers.promise = new Promise((resolve, reject) => Object.assign(resolvers, { resolve, reject }));
  return resolvers;
}
