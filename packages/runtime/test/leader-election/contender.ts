// Runs a candidate for leadership that creates ConfigMaps while it leads, until it is killed.
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { realClock, sleep } from "@kubescaffold/platform/clock";

import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

const [, , config = "", identity = ""] = process.argv;

const manager = await createManager(JSON.parse(config) as RestConfig, {
  logger: silentLogger,
  metrics: { bindAddress: "0" },
  leaderElection: true,
  leaderElectionId: "contenders",
  leaderElectionNamespace: "default",
  leaseDurationMs: 2000,
  renewDeadlineMs: 1500,
  retryPeriodMs: 300,
});
manager.add(async (signal) => {
  for (let writes = 1; !signal.aborted; writes += 1) {
    const labels = { contender: identity };
    const object = ConfigMap.create({ metadata: { namespace: "default", generateName: "write-", labels } });
    await manager.getClient().create(object);
    if (writes === 10) process.send?.("leading");
    await sleep(realClock, 20, signal).catch(() => undefined);
  }
});
await manager.start(new AbortController().signal).catch(() => process.exit(1));
