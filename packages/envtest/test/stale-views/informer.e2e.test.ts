import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { createClient, createManager, type Manager } from "@kubescaffold/runtime";
import { afterEach, describe, expect, it, vi } from "vitest";

type View = ReturnType<EmbeddedCluster["server"]["viewAt"]>;

const endings: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function started(cluster: EmbeddedCluster, view: View): Promise<Manager> {
  const manager = await createManager(
    { ...cluster.config, ...view.restConfig() },
    { metrics: { bindAddress: "0" }, healthProbeBindAddress: "0" },
  );
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  endings.push(async () => {
    stop.abort();
    await running;
  });
  return manager;
}

const inDefault = { namespace: "default" };
const CONFIG_MAPS = { group: "", resource: "configmaps" };

describe("a manager on a server that lags behind", () => {
  it("starts with the present, since it requests a consistent streaming list, and then lags as its server does", async () => {
    const cluster = createEmbeddedCluster();
    endings.push(async () => await cluster.close());
    cluster.server.start();
    const client = createClient(cluster.config);
    const view = cluster.server.viewAt(cluster.server.snapshot());
    await client.create(ConfigMap.create({ metadata: { ...inDefault, name: "before" } }));
    const manager = await started(cluster, view);
    const cached = async (): Promise<readonly string[]> =>
      (await manager.getClient().list(ConfigMap, inDefault)).items
        .map(({ metadata }) => metadata.name ?? "")
        .filter((name) => name !== "kube-root-ca.crt");
    // The view is held, so what the informer has not found at first does not come later.
    await vi.waitFor(async () => expect(await cached()).toEqual(["before"]), { timeout: 30_000 });

    view.catchUp();
    view.hold(CONFIG_MAPS);
    cluster.server.faults.dropWatches();
    await client.create(ConfigMap.create({ metadata: { ...inDefault, name: "held" } }));
    const raw = createClient({ ...cluster.config, ...view.restConfig() });
    expect((await raw.list(ConfigMap, inDefault)).items.map(({ metadata }) => metadata.name)).toContain("held");
    await cluster.server.quiet({ ms: 200, watches: [{ resource: "configmaps" }] });
    expect(await cached()).toEqual(["before"]);
    view.catchUp(CONFIG_MAPS);
    await vi.waitFor(async () => expect((await cached()).toSorted()).toEqual(["before", "held"]), { timeout: 30_000 });
  });
});

it("a listener of a view serves it with the certificates of the cluster", async () => {
  const cluster = createEmbeddedCluster();
  endings.push(async () => await cluster.close());
  const view = cluster.server.viewAt(cluster.server.snapshot());
  const present = await cluster.listen({ tls: true });
  const { config, url } = await cluster.listen({ tls: true, view });
  expect(url).not.toBe(present.url);
  await createClient(config).create(ConfigMap.create({ metadata: { ...inDefault, name: "late" } }));
  const namesAt = async (at: RestConfig, resourceVersion: string): Promise<readonly (string | undefined)[]> =>
    (await createClient(at).list(ConfigMap, { ...inDefault, resourceVersion })).items.map(
      ({ metadata }) => metadata.name,
    );
  expect(await namesAt(present.config, "0")).toContain("late");
  expect(await namesAt(config, "0")).not.toContain("late");
  view.catchUp();
  expect(await namesAt(config, "0")).toContain("late");
});
