// An operator and the embedded server in one process, for runtimes other than Node: prints what the operator wrote, as JSON.
import { EventEmitter, once } from "node:events";
import process from "node:process";

import { createEmbeddedCluster } from "@kubescaffold/cluster";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { createManager, newControllerManagedBy, silentLogger } from "@kubescaffold/runtime";

const cluster = createEmbeddedCluster();
cluster.server.start();
const listener = await cluster.listen({ tls: true });
const manager = await createManager(listener.config, {
  logger: silentLogger,
  metrics: { bindAddress: "127.0.0.1:0" },
  healthProbeBindAddress: "0",
  leaderElection: { enabled: true, id: "smoke", namespace: "default" },
});
const client = manager.getClient();
const written = new EventEmitter();
const output = handledLater(once(written, "output"));
await newControllerManagedBy(manager)
  .for(ConfigMap)
  .complete(async ({ name, namespace }) => {
    if (name !== "input") return {};
    const input = await client.get(ConfigMap, { namespace, name });
    const metadata = { name: "output", namespace };
    written.emit("output", await client.create({ apiVersion: "v1", kind: "ConfigMap", metadata, data: input.data }));
    return {};
  });
const stop = new AbortController();
const running = handledLater(manager.start(stop.signal));
await client.create({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "input", namespace: "default" },
  data: { color: "blue" },
});
const [{ metadata, data }] = await Promise.race([output, running]);
stop.abort();
await running;
await listener.close();
await cluster.close();
console.log(JSON.stringify({ name: metadata.name, data }));
process.exit(0);
