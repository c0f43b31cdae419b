// Starts and stops 100 managers with a controller and all its servers, reports how the heap grew, and then has nothing left to do.
import type { RestConfig } from "@kubescaffold/k8s";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";

const config = JSON.parse(process.argv[2] ?? "{}") as RestConfig;

async function startAndStop(): Promise<void> {
  const manager = await createManager(config, {
    logger: silentLogger,
    metrics: { bindAddress: "127.0.0.1:0" },
    healthProbeBindAddress: "127.0.0.1:0",
  });
  const reconciled = new Promise<void>((resolve) => {
    void newControllerManagedBy(manager)
      .for(ConfigMap)
      .withOptions({ skipNameValidation: true })
      .complete(async () => resolve());
  });
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  await reconciled;
  stopping.abort();
  await running;
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

for (let warmUp = 0; warmUp < 50; warmUp += 1) await startAndStop();
const before = heapUsed();
for (let round = 0; round < 100; round += 1) await startAndStop();
const heapGrowthBytes = heapUsed() - before;
process.send?.({ heapGrowthBytes });
