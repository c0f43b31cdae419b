import { Environment } from "@kubescaffold/envtest";
import { type Chaos, startChaos } from "@kubescaffold/envtest/chaos";
import { isNotFound } from "@kubescaffold/k8s";
import { ConfigMap, Namespace, Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { afterAll, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createClient } from "../../src/client/create-client.ts";
import { createOrUpdate } from "../../src/controllerutil/controllerutil.ts";
import { enqueueRequestForObject } from "../../src/handler/handler.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createCluster } from "../../src/manager/cluster.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { kind } from "../../src/source/source.ts";

const LIVENESS = { timeout: 60_000 };
const environments = [new Environment(), new Environment()] as const;
let chaos: Chaos | undefined;

afterAll(async () => {
  await chaos?.stop();
  await Promise.all(environments.map((environment) => environment.stop()));
});

// A manager of cluster A copies the ConfigMaps of cluster B into Secrets of A, and a second controller labels the namespaces of A.
it(
  "row 92: a manager watches one cluster and writes to another, whose controllers an outage does not affect",
  LIVENESS,
  async () => {
    const [ofA, ofB] = await Promise.all(environments.map((environment) => environment.start()));
    if (ofA === undefined || ofB === undefined) throw new Error("both environments have started");
    const [a, b] = [createClient(ofA), createClient(ofB)];
    chaos = await startChaos({ target: ofB, faults: {}, speed: 20 });
    const { clock } = chaos;
    const registry = createMetricsRegistry();
    const manager = await createManager(ofA, { logger: silentLogger, metrics: { bindAddress: "0", registry } });
    const remote = createCluster(chaos.restConfig, { clock, logger: silentLogger, registry });
    manager.add(remote);
    await newControllerManagedBy(manager)
      .named("row-92-copies")
      .watchesRawSource(kind({ cache: remote.getCache(), kind: ConfigMap, handler: enqueueRequestForObject() }))
      .complete(async ({ namespace, name }) => {
        const { data } = await remote.getClient().get(ConfigMap, { namespace, name });
        const value = Buffer.from(data?.["value"] ?? "").toString("base64");
        const secret = Secret.create({ metadata: { namespace: "default", name } });
        await createOrUpdate(manager.getClient(), secret, (current) => ({ ...current, data: { value } }));
      });
    const labeled = new Set<string>();
    await newControllerManagedBy(manager)
      .named("row-92-namespaces")
      .for(Namespace)
      .complete(async ({ name }) => void labeled.add(name));
    const stopping = new AbortController();
    const running = handledLater(manager.start(stopping.signal));
    await manager.elected;

    const write = (name: string, value: string): Promise<ConfigMap> =>
      b.create(ConfigMap.create({ metadata: { namespace: "default", name }, data: { value } }));
    const copied = async (name: string): Promise<string | undefined> => {
      const found = await a.get(Secret, { namespace: "default", name }).catch((error: unknown) => {
        if (isNotFound(error)) return undefined;
        throw error;
      });
      return found && Buffer.from(found.data?.["value"] ?? "", "base64").toString();
    };
    await write("before", "1");
    await expect.poll(() => copied("before"), LIVENESS).toBe("1");
    // Neither has the objects of the other.
    await expect(a.get(ConfigMap, { namespace: "default", name: "before" })).rejects.toSatisfy(isNotFound);
    await expect(b.get(Secret, { namespace: "default", name: "before" })).rejects.toSatisfy(isNotFound);

    const outage = chaos.script([{ fault: "dropRequest", times: 1_000_000 }]);
    chaos.closeConnections();
    await write("during", "2");
    await a.create(Namespace.create({ metadata: { name: "row-92-during" } }));
    await expect.poll(() => labeled.has("row-92-during"), LIVENESS).toBe(true);
    await expect(remote.getApiReader().get(ConfigMap, { namespace: "default", name: "before" })).rejects.toMatchObject({
      code: expect.stringMatching(/^CLIENT_/u),
    });
    expect(await remote.getClient().get(ConfigMap, { namespace: "default", name: "before" })).toMatchObject({
      data: { value: "1" },
    });
    expect(await copied("during")).toBeUndefined();

    outage.cancel();
    await expect.poll(() => copied("during"), LIVENESS).toBe("2");
    stopping.abort();
    await running;
  },
);
