// Runs a replica that reconciles ConfigMaps again and again, and records the start and the end of each reconcile on the server.
import { setTimeout as sleep } from "node:timers/promises";

import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createSharding } from "../../src/sharding/create-sharding.ts";

const [, , config = "", replica = ""] = process.argv;

const manager = await createManager(JSON.parse(config) as RestConfig, {
  logger: silentLogger,
  metrics: { bindAddress: "0" },
  cache: { defaultLabelSelector: "work" },
});
const sharding = await createSharding(manager, {
  id: "work",
  shards: 6,
  namespace: "default",
  leaseDurationMs: 3000,
  renewDeadlineMs: 2000,
  retryPeriodMs: 300,
});
const client = manager.getClient();

sharding.forEachShard(async ({ shard, manager: scoped }) => {
  await newControllerManagedBy(scoped)
    .for(ConfigMap)
    .withOptions({ maxConcurrentReconciles: 2 })
    .complete(async ({ name }) => {
      const record = async (phase: string): Promise<void> => {
        const labels = { record: name, phase, replica, shard: String(shard) };
        // No signal: an ended reconcile still tries to write, and the lease decides.
        const { signal } = new AbortController();
        await client.create(ConfigMap.create({ metadata: { namespace: "records", generateName: "r-", labels } }), {
          signal,
        });
      };
      await record("start");
      await sleep(20 + Math.random() * 60);
      await record("end");
      return { requeueAfterMs: 100 };
    });
});

const stopping = new AbortController();
process.on("SIGTERM", () => stopping.abort());
await manager.start(stopping.signal).then(
  () => process.exit(0),
  () => process.exit(1),
);
