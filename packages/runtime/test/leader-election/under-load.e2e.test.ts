import { Environment } from "@kubescaffold/envtest";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { afterAll, expect, it } from "vitest";

import { newControllerManagedBy } from "../../src/builder/controller-builder.ts";
import { createClient } from "../../src/client/create-client.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { interceptedConfig } from "../support/intercepted-config.ts";

const environment = new Environment();
afterAll(() => environment.stop());

const RENEW_DEADLINE_MS = 10_000;

it("row 36: a leader renews its lease while all workers wait for a throttled server and for their own limit", async () => {
  const config = await environment.start();
  const live = createClient(config);
  const renewals: number[] = [];
  let throttled = 0;
  const manager = await createManager(
    interceptedConfig({ ...config, qps: 1, burst: 1 }, async (request, send) => {
      const { pathname } = new URL(request.url);
      if (pathname.includes("/leases/") && request.method === "PUT") renewals.push(performance.now());
      if (request.method === "POST" && pathname.endsWith("/configmaps")) {
        throttled += 1;
        const status = { kind: "Status", apiVersion: "v1", status: "Failure", reason: "TooManyRequests", code: 429 };
        return Response.json(status, { status: 429, headers: { "retry-after": "1" } });
      }
      return await send(request);
    }),
    {
      logger: silentLogger,
      metrics: { bindAddress: "0", registry: createMetricsRegistry() },
      leaderElection: true,
      leaderElectionId: "under-load",
      leaderElectionNamespace: "default",
      leaseDurationMs: 15_000,
      renewDeadlineMs: RENEW_DEADLINE_MS,
      retryPeriodMs: 200,
      controller: { maxConcurrentReconciles: 8 },
    },
  );
  await newControllerManagedBy(manager)
    .for(ConfigMap)
    .complete(async ({ namespace, name }) => {
      await manager.getClient().create(ConfigMap.create({ metadata: { namespace, name: `${name}-child` } }));
    });
  for (let index = 0; index < 20; index += 1) {
    await live.create(ConfigMap.create({ metadata: { namespace: "default", name: `busy-${String(index)}` } }));
  }
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  let failure: unknown;
  running.catch((error: unknown) => {
    failure = error;
  });
  await expect.poll(() => throttled, { timeout: 20_000 }).toBeGreaterThan(0);
  renewals.length = 0;
  await expect.poll(() => renewals.length, { timeout: 30_000 }).toBeGreaterThan(15);
  const gaps = renewals.slice(1).map((at, index) => at - (renewals[index] ?? 0));
  expect(Math.max(...gaps)).toBeLessThan(RENEW_DEADLINE_MS);
  expect(failure).toBeUndefined();
  stopping.abort();
  await running;
});
