import { Environment } from "@kubescaffold/envtest";
import { type Chaos, startChaos } from "@kubescaffold/envtest/chaos";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { sleep } from "@kubescaffold/platform/clock";
import { afterAll, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";

const environment = new Environment();
let chaos: Chaos | undefined;
afterAll(async () => {
  await chaos?.stop();
  await environment.stop();
});

// On the clock of the manager, which runs 20 times as fast.
const OUTAGE_MS = 60_000;

it(
  "row 19: a manager survives an outage of the server, calls it rarely, and converges after it",
  { timeout: 120_000 },
  async () => {
    const config = await environment.start();
    const live = createClient(config);
    chaos = await startChaos({ target: config, faults: {}, speed: 20 });
    const { clock } = chaos;
    const manager = await createManager(chaos.restConfig, {
      clock,
      logger: silentLogger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    });
    const reconciled = new Set<string>();
    await newControllerManagedBy(manager)
      .for(ConfigMap)
      .complete(async ({ name }) => {
        reconciled.add(name);
      });
    const stopping = new AbortController();
    const running = handledLater(manager.start(stopping.signal));
    await manager.elected;
    await live.create(ConfigMap.create({ metadata: { namespace: "default", name: "before" } }));
    await expect.poll(() => reconciled.has("before"), { timeout: 20_000 }).toBe(true);

    const outage = chaos.script([{ fault: "dropRequest", times: 1_000_000 }]);
    chaos.closeConnections();
    const requests = chaos.report().requests;
    await live.create(ConfigMap.create({ metadata: { namespace: "default", name: "during" } }));
    await sleep(clock, OUTAGE_MS);
    expect(reconciled.has("during")).toBe(false);
    expect(chaos.report().requests - requests).toBeGreaterThan(0);
    // A back-off from 0.8 s on, a stream and a list at each attempt, and up to three attempts of each request.
    expect(chaos.report().requests - requests).toBeLessThan(150);

    outage.cancel();
    await expect.poll(() => reconciled.has("during"), { timeout: 60_000 }).toBe(true);
    stopping.abort();
    await running;
  },
);
