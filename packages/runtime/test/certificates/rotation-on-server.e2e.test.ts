import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createNamespace } from "../support/controller-on-server.ts";
import { WebhookService } from "./webhook-service.ts";

// KUBESCAFFOLD_ROTATIONS=50 with KUBESCAFFOLD_ENVTEST_BACKEND=binaries takes ten minutes.
const ROTATIONS = Number(process.env["KUBESCAFFOLD_ROTATIONS"] ?? 3);
const LIVENESS_MS = 3_600_000;

const environment = new Environment({ startTimeoutMs: 300_000 });
let config: RestConfig;

beforeAll(async () => {
  config = await environment.start();
}, 300_000);
afterAll(async () => await environment.stop(), 300_000);

describe.each([1, 2, 3])("with %i replicas on an API server", (count) => {
  it(
    "no admission of 20 per second is refused while authority and certificate are replaced",
    { timeout: LIVENESS_MS },
    async () => {
      const on = await createNamespace(config);
      const service = new WebhookService(config, on);
      await service.install();
      for (let started = 0; started < count; started += 1) service.replicas.push(await service.startSelfManaged());
      await expect.poll(() => service.replicas.every((each) => each.isReady()), { timeout: 120_000 }).toBe(true);
      await expect.poll(async () => await service.admit(), { timeout: 120_000 }).toBeUndefined();

      const { dropped } = service;
      const stream = service.stream();
      try {
        for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
          const before = (await service.secret())?.data?.["ca.crt"];
          await on.live.delete(Secret.create({ metadata: { namespace: on.namespace, name: "certificates" } }));
          const isReplaced = async (): Promise<boolean> => {
            const now = (await service.secret())?.data?.["ca.crt"];
            const { webhooks } = await service.configuration();
            return now !== undefined && now !== before && isSingle(now) && webhooks?.[0]?.clientConfig.caBundle === now;
          };
          await expect.poll(isReplaced, { timeout: 300_000, interval: 100 }).toBe(true);
          expect({ refused: stream.refused, dropped: service.dropped }).toEqual({ refused: [], dropped });
        }
      } finally {
        await stream.end();
        await service.close();
      }
      expect(stream.refused).toEqual([]);
      expect(stream.counts.admitted).toBeGreaterThan(ROTATIONS);
      console.log(
        `${String(count)} replicas: ${String(ROTATIONS)} rotations, ${String(stream.counts.admitted)} admissions`,
      );
    },
  );
});

function isSingle(bundle: string): boolean {
  return Buffer.from(bundle, "base64").toString().split("BEGIN CERTIFICATE").length === 2;
}
