import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterAll, expect, it, vi } from "vitest";

import { createClusterList } from "../../src/multi-cluster/cluster-list.ts";
import { newMultiClusterControllerManagedBy } from "../../src/multi-cluster/multi-cluster-builder.ts";
import { createConfigMap, Servers } from "./servers.ts";

const servers = new Servers();

afterAll(async () => {
  await servers.stop();
});

const left = (): Readonly<Record<string, number>> => {
  const all = process.getActiveResourcesInfo();
  const count = (type: string): number => all.filter((each) => each === type).length;
  return { sockets: count("TCPSocketWrap"), timers: count("Timeout") };
};

it("guarantee 17: clusters that were engaged and disengaged leave no sockets, timers, or metrics of queued requests", async () => {
  const [hub, one] = [await servers.start(), await servers.start()];
  const listener = await one.environment.cluster.listen();
  const list = createClusterList();
  const running = await servers.manager(hub, { providers: [list] });
  let reconciles = 0;
  await newMultiClusterControllerManagedBy(running.clusters)
    .for(ConfigMap)
    .named("left-over")
    .complete(async () => {
      reconciles += 1;
      // The other objects are queued, and wait for a long time.
      return { requeueAfterMs: 3_600_000 };
    });
  for (let index = 0; index < 50; index += 1) await createConfigMap(one.client, `left-${String(index)}`);
  running.start();
  await running.manager.elected;
  const before = left();
  for (let round = 0; round < 5; round += 1) {
    reconciles = 0;
    await list.set("one", listener.config);
    await list.set("away", { server: "https://127.0.0.1:1" });
    await vi.waitFor(() => expect(reconciles).toBeGreaterThan(0));
    await Promise.all([list.delete("one"), list.delete("away")]);
  }
  await vi.waitFor(() => expect(left()["sockets"]).toBeLessThanOrEqual(before["sockets"] ?? 0), { timeout: 10_000 });
  expect(left()["timers"]).toBeLessThanOrEqual((before["timers"] ?? 0) + 2);
  const depth = await running.manager.getMetricsRegistry().getSingleMetric("workqueue_depth")?.get();
  expect(depth?.values.reduce((sum, { value }) => sum + value, 0)).toBe(0);
  await running.stop();
  await listener.close();
}, 60_000);
