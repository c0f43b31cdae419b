import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

import { defineKind, type Kind } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { afterEach, expect, it } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { createCache } from "../../src/cache/informer-cache.ts";
import { createSelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";
import { silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import type { Manager, ManagerOptions } from "../../src/manager/manager.ts";
import {
  createMetricsRegistry,
  type MetricsRegistry,
  registry as processRegistry,
} from "../../src/metrics/registry.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";
import { FakeServer } from "../support/fake-server.ts";

interface Volume extends KubernetesObject {
  spec: { size: number };
}
const group = "registry.example.com";
const Volume: Kind<Volume> = defineKind<Volume>({ group, version: "v1" }, "Volume");
const VolumeV2: Kind<Volume> = defineKind<Volume>({ group, version: "v2" }, "Volume");

const stops: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function mountCertificate(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "metrics-registry-"));
  stops.push(async () => await rm(folder, { recursive: true }));
  const { cert, key } = await createSelfSignedPair(["localhost"], ["127.0.0.1"]);
  await writeFile(path.join(folder, "tls.key"), key);
  await writeFile(path.join(folder, "tls.crt"), cert);
  return folder;
}

interface Served {
  readonly manager: Manager;
  readonly registry: MetricsRegistry;
}

async function serve(certDir: string, prefix: string, options: ManagerOptions = {}): Promise<Served> {
  const registry = createMetricsRegistry();
  const manager = await createManager(
    { server: `https://${prefix}.invalid`, transport: async () => new Response("{}", { status: 404 }) },
    {
      logger: silentLogger,
      newCache: (_, cacheOptions) => createCache(new FakeServer().client(), cacheOptions),
      webhook: { host: "127.0.0.1", port: 0, certDir },
      ...options,
      metrics: { bindAddress: "127.0.0.1:0", secureServing: true, certDir, registry },
    },
  );
  newWebhookManagedBy(manager)
    .for(Volume)
    .withDefaulter({ default: () => undefined })
    .withDefaulterCustomPath(`/${prefix}-mutate`)
    .withValidator({
      validateCreate: () => (undefined as unknown as { read: () => void }).read(),
      validateUpdate: () => undefined,
      validateDelete: () => undefined,
    })
    .withValidatorCustomPath(`/${prefix}-validate`)
    .withConversion({
      spoke: VolumeV2,
      convertTo: () => (undefined as unknown as { read: () => Volume }).read(),
      convertFrom: (hub: Volume) => hub,
    })
    .complete();
  const stopping = new AbortController();
  const running = manager.start(stopping.signal);
  stops.push(async () => {
    stopping.abort();
    await running;
  });
  await Promise.race([manager.getWebhookServer().listening, running]);
  await manager.elected;
  return { manager, registry };
}

async function post({ manager }: Served, webhookPath: string, body: unknown): Promise<void> {
  const port = manager.getWebhookServer().port;
  const headers = { "content-type": "application/json" };
  await new Promise<void>((resolve, reject) => {
    const target = { host: "127.0.0.1", port, path: webhookPath, method: "POST", headers, agent: false };
    httpsRequest({ ...target, rejectUnauthorized: false }, (response) => response.resume().once("end", resolve))
      .once("error", reject)
      .end(JSON.stringify(body));
  });
}

const volume = Volume.create({ metadata: { name: "v" }, spec: { size: 1 } });

async function callWebhooks(served: Served, prefix: string): Promise<void> {
  const request = { uid: "u", operation: "CREATE", object: volume };
  await post(served, `/${prefix}-validate`, { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
  await post(served, "/convert", {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "ConversionReview",
    request: { uid: "u", desiredAPIVersion: `${group}/v1`, objects: [{ ...volume, apiVersion: `${group}/v2` }] },
  });
}

async function countersOf(registry: MetricsRegistry): Promise<Record<string, number>> {
  const names = [
    "controller_runtime_webhook_panics_total",
    "controller_runtime_conversion_webhook_panics_total",
    "certwatcher_read_certificate_total",
    "certwatcher_read_certificate_errors_total",
  ];
  const values = names.map(async (name) => (await registry.getSingleMetric(name)?.get())?.values[0]?.value ?? 0);
  return Object.fromEntries((await Promise.all(values)).map((value, index) => [names[index] ?? "", value]));
}

it("guarantee 11: all metrics of a manager are in its registry, and none in that of the process or of another manager", async () => {
  const certDir = await mountCertificate();
  const before = await countersOf(processRegistry);
  const first = await serve(certDir, "alpha");
  const second = await serve(certDir, "beta");
  await callWebhooks(first, "alpha");
  expect(await countersOf(first.registry)).toEqual({
    controller_runtime_webhook_panics_total: 1,
    controller_runtime_conversion_webhook_panics_total: 1,
    certwatcher_read_certificate_total: 2,
    certwatcher_read_certificate_errors_total: 0,
  });
  expect(await countersOf(second.registry)).toMatchObject({
    controller_runtime_webhook_panics_total: 0,
    controller_runtime_conversion_webhook_panics_total: 0,
  });
  const texts = [await first.registry.metrics(), await second.registry.metrics(), await processRegistry.metrics()];
  const series = 'controller_runtime_webhook_requests_total{webhook="/alpha-validate",code="200"} 1';
  expect(texts.map((text) => text.includes(series))).toEqual([true, false, false]);
  expect(texts.map((text) => text.includes('webhook="/beta-mutate",code="500"} 0'))).toEqual([false, true, false]);
  expect(texts[2]).not.toMatch(/alpha|beta-/u);
  expect(await countersOf(processRegistry)).toEqual(before);
});

it("guarantee 11: a webhook server that was created before its manager uses the manager's registry", async () => {
  const certDir = await mountCertificate();
  const before = await countersOf(processRegistry);
  const webhookServer = new WebhookServer({ host: "127.0.0.1", port: 0, certDir, log: silentLogger });
  webhookServer.register("/earlier", async () => new Response("ok"));
  const served = await serve(certDir, "third", { webhookServer });
  await callWebhooks(served, "third");
  await post(served, "/earlier", {});
  const text = await served.registry.metrics();
  expect(text).toContain('controller_runtime_webhook_requests_total{webhook="/earlier",code="200"} 1');
  expect(text).toContain("certwatcher_read_certificate_total 2");
  expect(await processRegistry.metrics()).not.toMatch(/earlier|third-/u);
  expect(await countersOf(processRegistry)).toEqual(before);
});
