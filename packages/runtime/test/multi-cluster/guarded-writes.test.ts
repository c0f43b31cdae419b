import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterAll, expect, it } from "vitest";

import { createClusterList } from "../../src/multi-cluster/cluster-list.ts";
import { newMultiClusterControllerManagedBy } from "../../src/multi-cluster/multi-cluster-builder.ts";
import { createConfigMap, Servers } from "./servers.ts";

const servers = new Servers();

afterAll(async () => {
  await servers.stop();
});

function block(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it("guarantee 2: a leader writes nothing to engaged clusters after its renew deadline", async () => {
  const [hub, one] = [await servers.start(), await servers.start()];
  const list = createClusterList({ one: one.config });
  const running = await servers.manager(
    hub,
    { providers: [list] },
    {
      leaderElection: true,
      leaderElectionId: "clusters",
      leaderElectionNamespace: "default",
      leaseDurationMs: 1500,
      renewDeadlineMs: 1000,
      retryPeriodMs: 200,
    },
  );
  const tried = new Promise<unknown[]>((resolve, reject) => {
    void newMultiClusterControllerManagedBy(running.clusters)
      .for(ConfigMap)
      .named("guarded-writes")
      .complete(async ({ clusterName, name }) => {
        if (name !== "seed") return;
        const write = async (copy: string): Promise<unknown> =>
          await createConfigMap(running.clusters.getCluster(clusterName).getClient(), copy).then(
            () => "written",
            (error: unknown) => (error as { code: unknown }).code,
          );
        const before = await write("before");
        block(1600);
        resolve([before, await write("after")]);
      })
      .catch(reject);
  });
  await createConfigMap(one.client, "seed");
  running.start();
  expect(await tried).toEqual(["written", "LEADER_LEASE_EXPIRED"]);
  expect(await running.ended()).toMatchObject({ code: "LEADER_ELECTION_LOST" });
}, 60_000);
