import { Environment } from "@kubescaffold/envtest";
import type { RestConfig } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap, Secret } from "@kubescaffold/k8s/core/v1";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, expect, it } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { selfManaged } from "../../src/certificates/self-managed.ts";
import { createRecordingLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";

// A thousand take eight minutes: KUBESCAFFOLD_ROTATIONS=1000.
const ROTATIONS = Number(process.env["KUBESCAFFOLD_ROTATIONS"] ?? 30);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
// The certificates must be valid at the time of the machine, too, since TLS has no other clock.
const START_MS = Date.now() - 60 * DAY_MS;

const environment = new Environment();
const clock = new FakeClock(START_MS);
const stopping = new AbortController();
let config: RestConfig;
let on: ServerNamespace;
let running: Promise<void>;
let health = 0;

beforeAll(async () => {
  config = await environment.start();
  on = await createNamespace(config);
  const manager = await createManager(config, {
    logger: createRecordingLogger(),
    metrics: { bindAddress: "0", registry: createMetricsRegistry() },
    healthProbeBindAddress: "127.0.0.1:0",
    webhook: { host: "127.0.0.1", port: 0 },
    clock,
    certificates: selfManaged({
      secretName: "certificates",
      namespace: on.namespace,
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
      validatingWebhookConfigurations: ["rotated"],
      lifetimeMs: 1000 * DAY_MS,
      caLifetimeMs: 5000 * DAY_MS,
      overlapMs: 3 * MINUTE_MS,
    }),
  });
  newWebhookManagedBy(manager)
    .for(ConfigMap)
    .withValidator({
      validateCreate: () => undefined,
      validateUpdate: () => undefined,
      validateDelete: () => undefined,
    })
    .complete();
  running = handledLater(manager.start(stopping.signal));
  health = manager.ports.health ?? 0;
  const server = manager.getWebhookServer();
  await Promise.race([server.listening, running]);
  await on.live.create(
    ValidatingWebhookConfiguration.create({
      metadata: { name: "rotated" },
      webhooks: [
        {
          name: "configmaps.rotated.demo",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          failurePolicy: "Fail",
          clientConfig: { url: `https://127.0.0.1:${String(server.port)}/validate--v1-configmap` },
          objectSelector: { matchExpressions: [{ key: "tested", operator: "Exists" }] },
          rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
        },
      ],
    }),
  );
});

afterAll(async () => {
  stopping.abort();
  await running;
  await environment.stop();
});

async function admit(): Promise<string | undefined> {
  const metadata = { namespace: on.namespace, generateName: "admitted-", labels: { tested: "" } };
  try {
    await on.live.create(ConfigMap.create({ metadata }), { dryRun: true });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

async function authority(): Promise<string | undefined> {
  const key = { namespace: on.namespace, name: "certificates" };
  return (await on.live.get(Secret, key).catch(() => undefined))?.data?.["ca.crt"];
}

it(
  "no admission of a steady stream is refused while authority and certificate are replaced time and again",
  { timeout: 3_600_000 },
  async () => {
    await expect.poll(admit, EVENT).toBeUndefined();
    const ready = await fetch(`http://127.0.0.1:${String(health)}/readyz`);
    expect(ready.status).toBe(200);
    const refused: string[] = [];
    let admitted = 0;
    const ending = new AbortController();
    const stream = (async (): Promise<void> => {
      while (!ending.signal.aborted) {
        const problem = await admit();
        if (problem === undefined) admitted += 1;
        else refused.push(problem);
      }
    })();
    for (let rotation = 0; rotation < ROTATIONS; rotation += 1) {
      const before = await authority();
      await on.live.delete(Secret.create({ metadata: { namespace: on.namespace, name: "certificates" } }));
      // Introduced, in use, and alone: each within its time.
      for (let minutes = 0; minutes < 6; minutes += 1) await clock.advance(MINUTE_MS);
      expect(await authority()).not.toBe(before);
    }
    ending.abort();
    await stream;
    expect(refused).toEqual([]);
    expect(admitted).toBeGreaterThanOrEqual(ROTATIONS);
  },
);
