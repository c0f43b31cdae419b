import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { Environment } from "@kubescaffold/envtest";
import { isForbidden, type RestConfig } from "@kubescaffold/k8s";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { newWebhookManagedBy } from "../../src/builder/webhook-builder.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { createManager } from "../../src/manager/create-manager.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import { certificateMetrics } from "../../src/metrics/webhook-metrics.ts";
import { createNamespace, EVENT, type ServerNamespace } from "../support/controller-on-server.ts";

const TEST = { timeout: 120_000 };
const CONFIGURATION = "validating-configmaps";
const VALIDATE = "/validate--v1-configmap";

const environment = new Environment({
  webhooks: {
    configurations: [
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: CONFIGURATION },
        webhooks: [
          {
            name: "configmaps.webhooks.demo",
            admissionReviewVersions: ["v1"],
            sideEffects: "None",
            failurePolicy: "Fail",
            clientConfig: { service: { name: "webhooks", namespace: "default", path: VALIDATE } },
            objectSelector: { matchExpressions: [{ key: "tested", operator: "Exists" }] },
            rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] }],
          },
        ],
      },
    ],
  },
});

const clock = new FakeClock();
const registry = createMetricsRegistry();
const stopping = new AbortController();
const received: string[] = [];
let config: RestConfig;
let on: ServerNamespace;
let running: Promise<void>;
let release = (): void => undefined;

beforeAll(async () => {
  config = await environment.start();
  on = await createNamespace(config);
  const { host, port, certDirectory } = environment.webhookServing;
  const manager = await createManager(config, {
    logger: createRecordingLogger(0),
    metrics: { bindAddress: "0", registry },
    webhook: { host, port, certDir: certDirectory, clock },
  });
  newWebhookManagedBy(manager)
    .for(ConfigMap)
    .withValidator({
      validateCreate: async ({ metadata }) => {
        received.push(metadata.name ?? "");
        if (metadata.name === "forbidden") throw new Error("this name is not welcome");
        if (metadata.name !== "slow") return;
        await new Promise<void>((resolve) => {
          release = resolve;
        });
      },
      validateUpdate: () => undefined,
      validateDelete: () => undefined,
    })
    .complete();
  running = manager.start(stopping.signal);
  await Promise.race([manager.getWebhookServer().listening, running]);
  await vi.waitUntil(isCalled, EVENT);
});

afterAll(async () => {
  stopping.abort();
  await running;
  await environment.stop();
});

function object(name: string, size = 1): ConfigMap {
  const metadata = { namespace: on.namespace, name, labels: { tested: "" } };
  return ConfigMap.create({ metadata, data: { value: "x".repeat(size) } });
}

// Whether the API server reaches the webhook, over a connection that it trusts.
async function isCalled(): Promise<boolean> {
  const error: unknown = await on.live.create(object("forbidden"), { dryRun: true }).catch((each: unknown) => each);
  return isForbidden(error) && String(error).includes("this name is not welcome");
}

async function servedSerial(): Promise<string> {
  const { host, port } = environment.webhookServing;
  return await new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    });
    socket.once("error", reject);
  });
}

async function writePair({ cert, key }: { readonly cert: string; readonly key: string }): Promise<void> {
  const { certDirectory } = environment.webhookServing;
  await writeFile(path.join(certDirectory, "tls.crt"), cert);
  await writeFile(path.join(certDirectory, "tls.key"), key);
}

async function post(body: string, contentType: string): Promise<{ readonly status: number; readonly review: unknown }> {
  const { host, port, ca } = environment.webhookServing;
  const agent = new Agent({ ca, maxSockets: 1 });
  return await new Promise((resolve, reject) => {
    const headers = { "content-type": contentType };
    const target = { host, port, path: VALIDATE, method: "POST", agent, headers };
    const sent = httpsRequest(target, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece: string) => (text += piece));
      response.once("end", () => {
        agent.destroy();
        resolve({ status: response.statusCode ?? 0, review: JSON.parse(text) });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

describe("the webhook server of a manager, which an API server calls", () => {
  it.each([
    ["an empty body", "", "application/json", 400],
    ["another content type", "{}", "text/plain", 400],
    ["broken JSON", "{", "application/json", 400],
    ["another kind", '{"kind":"Pod","apiVersion":"v1"}', "application/json", 400],
    ["a body over 7 MiB", " ".repeat(7 * 1024 * 1024 + 1), "application/json", 413],
  ])(
    "row 40: refuses %s with a review, and goes on to answer the API server",
    TEST,
    async (_, body, contentType, code) => {
      expect(await post(body, contentType)).toMatchObject({
        status: 200,
        review: { response: { allowed: false, status: { code } } },
      });
      expect(await isCalled()).toBe(true);
    },
  );

  it("row 40: receives the largest object that an API server accepts", TEST, async () => {
    const { data } = await on.live.create(object("large", 900_000), { dryRun: true });
    expect(data?.["value"]).toHaveLength(900_000);
    expect(received).toContain("large");
  });

  it(
    "row 42: serves a replaced certificate to the API server without dropping an open request, and keeps it when the files are garbage",
    TEST,
    async () => {
      const first = await servedSerial();
      const slow = on.live.create(object("slow"), { dryRun: true });
      await expect.poll(() => received, EVENT).toContain("slow");
      const authority = await createCertificateAuthority("other-webhooks");
      await writePair(await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] }));
      clock.step(10_000);
      await expect.poll(servedSerial, EVENT).not.toBe(first);
      const second = await servedSerial();
      release();
      expect((await slow).metadata.name).toBe("slow");

      const configuration = await on.live.get(ValidatingWebhookConfiguration, { name: CONFIGURATION });
      const caBundle = Buffer.from(authority.cert).toString("base64");
      const webhooks = (configuration.webhooks ?? []).map((webhook) => ({
        ...webhook,
        clientConfig: { ...webhook.clientConfig, caBundle },
      }));
      await on.live.update({ ...configuration, webhooks });
      // From then on, the API server trusts the new authority only.
      await expect.poll(isCalled, EVENT).toBe(true);

      const readErrors = async (): Promise<number | undefined> =>
        (await certificateMetrics(registry).readErrors.get()).values[0]?.value;
      const before = (await readErrors()) ?? 0;
      await writePair({ cert: "garbage", key: "garbage" });
      await expect.poll(() => clock.pendingTimers, EVENT).toBe(1);
      clock.step(10_000);
      await expect.poll(readErrors, EVENT).toBe(before + 1);
      expect([await servedSerial(), await isCalled()]).toEqual([second, true]);
    },
  );

  it(
    "row 43: a missing certificate fails the start of a manager and names the file; nothing of it goes on",
    TEST,
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), "no-certificate-"));
      const manager = await createManager(config, {
        logger: silentLogger,
        metrics: { bindAddress: "0", registry: createMetricsRegistry() },
        cache: { defaultNamespaces: { [on.namespace]: {} } },
        webhook: { host: "127.0.0.1", port: 0, certDir: folder },
      });
      const informer = await manager.getCache().getInformer(ConfigMap);
      let ended = 0;
      manager.add({
        needLeaderElection: () => false,
        start: async (signal) => {
          await new Promise<void>((resolve) => {
            signal.addEventListener("abort", () => resolve());
          });
          ended += 1;
        },
      });
      newWebhookManagedBy(manager)
        .for(ConfigMap)
        .withDefaulter({ default: () => undefined })
        .complete();
      await expect(manager.start(new AbortController().signal)).rejects.toMatchObject({
        code: "WEBHOOK_CERTIFICATE",
        message: expect.stringContaining(path.join(folder, "tls.crt")) as string,
      });
      expect([informer.isStopped(), ended <= 1]).toEqual([true, true]);
      await rm(folder, { recursive: true });
    },
  );
});
