import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { Environment, kubeconfigOf } from "@kubescaffold/envtest";
import { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { Secret } from "@kubescaffold/k8s/core/v1";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { issueServing } from "../../src/certificates/issue-certificates.ts";
import { createSelfSignedPair, type SelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";
import { raw } from "../../src/client/patch.ts";
import { createNamespace, type ServerNamespace } from "../support/controller-on-server.ts";
import { WebhookService, type WebhookReplica } from "./webhook-service.ts";

const LIVENESS_MS = 600_000;
const HOUR_MS = 3_600_000;
// Longer than both injectors need to answer a write.
const STILL_MS = 3000;
const SECRET = "serving-cert";

// The program of hack/cert-manager; without it, a client writes what it would write.
const CAINJECTOR = process.env["KUBESCAFFOLD_CAINJECTOR"];
const INJECTORS = ["a client", ...(CAINJECTOR === undefined ? [] : ["cert-manager's controllers"])];

describe.each(INJECTORS)("authorities that are injected by %s", (injector) => {
  const isReal = injector !== "a client";
  const environment = new Environment({ startTimeoutMs: 300_000 });
  const folder = mkdtempSync(path.join(tmpdir(), "certificates-"));
  let on: ServerNamespace;
  let service: WebhookService;
  const stopping = new AbortController();
  let controllers: Promise<unknown> | undefined;

  beforeAll(async () => {
    const config = await environment.start();
    on = await createNamespace(config);
    service = new WebhookService(config, on);
    await service.install();
    if (!isReal || CAINJECTOR === undefined) return;
    const kubeconfig = path.join(folder, "kubeconfig");
    writeFileSync(kubeconfig, kubeconfigOf(await environment.listen()), { mode: 0o600 });
    controllers = execa(CAINJECTOR, [], {
      env: { KUBECONFIG: kubeconfig },
      cancelSignal: stopping.signal,
      reject: false,
    });
  }, 300_000);

  afterAll(async () => {
    stopping.abort();
    await controllers;
    await service.close();
    await environment.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 300_000);

  // What cert-manager's controllers do: a Secret that kubelets mount, and a bundle that is replaced as a whole.
  function mount({ cert, key }: SelfSignedPair): string {
    const directory = mkdtempSync(path.join(folder, "mounted-"));
    writeFileSync(path.join(directory, "tls.crt"), cert);
    writeFileSync(path.join(directory, "tls.key"), key);
    return directory;
  }

  async function injectCa(ca: string): Promise<void> {
    const caBundle = Buffer.from(ca).toString("base64");
    await (isReal ? storeCa(caBundle) : writeBundle(caBundle));
    await annotate({ "cert-manager.io/inject-ca-from-secret": `${on.namespace}/${SECRET}` });
    await expect.poll(bundle, { timeout: 120_000 }).toBe(ca.trim());
  }

  async function storeCa(caBundle: string): Promise<void> {
    const annotations = { "cert-manager.io/allow-direct-injection": "true" };
    const metadata = { name: SECRET, namespace: on.namespace, annotations };
    await on.live.apply(Secret.create({ metadata, data: { "ca.crt": caBundle } }), { fieldOwner: "cert-manager" });
  }

  async function writeBundle(caBundle: string): Promise<void> {
    const present = await service.configuration();
    const webhooks = (present.webhooks ?? []).map((each) => ({
      ...each,
      clientConfig: { ...each.clientConfig, caBundle },
    }));
    await on.live.update({ ...present, webhooks }, { fieldOwner: "cert-manager-cainjector" });
  }

  async function annotate(annotations: Readonly<Record<string, string | null>>): Promise<void> {
    const key = ValidatingWebhookConfiguration.create({ metadata: { name: service.name } });
    await on.live.patch(key, raw("application/merge-patch+json", { metadata: { annotations } }));
  }

  async function bundle(): Promise<string> {
    const { webhooks } = await service.configuration();
    return Buffer.from(webhooks?.[0]?.clientConfig.caBundle ?? "", "base64")
      .toString()
      .trim();
  }

  /** Fails if the configuration is still written after a while: two injectors would answer each other without an end. */
  async function expectStill(): Promise<void> {
    await delay(STILL_MS);
    const before = (await service.configuration()).metadata.resourceVersion;
    await delay(STILL_MS);
    expect((await service.configuration()).metadata.resourceVersion).toBe(before);
  }

  // A rolling update: the old Pod stays until the new one is ready, and ends when the Service sends nothing to it any more.
  async function roll(old: WebhookReplica, next: WebhookReplica): Promise<void> {
    service.replicas.push(next);
    await expect.poll(() => next.isReady(), { timeout: 120_000 }).toBe(true);
    await delay(1000);
    service.replicas.splice(service.replicas.indexOf(old), 1);
    await delay(1000);
    await old.stop();
  }

  // The steps of docs/guides/certificates.md.
  it(
    "no admission of 20 per second is refused while a project switches from cert-manager to its own certificates, and back",
    { timeout: LIVENESS_MS },
    async () => {
      const first = await createSelfSignedPair([`webhooks.${on.namespace}.svc`], []);
      const mounted = await service.startWithFiles(mount(first));
      service.replicas.push(mounted);
      await injectCa(first.cert);
      await expect.poll(async () => await service.admit(), { timeout: 120_000 }).toBeUndefined();
      const stream = service.stream();

      const managed = await service.startSelfManaged();
      // The annotation is that of the other injector, which the manager leaves alone.
      await expectStill();
      expect(managed.isReady()).toBe(false);
      await annotate({ "cert-manager.io/inject-ca-from-secret": null });
      await roll(mounted, managed);
      const { data = {} } = (await service.secret()) ?? {};
      const [cert, key] = ["ca.crt", "ca.key"].map((each) => Buffer.from(data[each] ?? "", "base64").toString());
      await expect.poll(bundle, { timeout: 120_000 }).toBe(cert?.trim());
      await expectStill();

      const nowMs = Date.now();
      const names = { dnsNames: [`webhooks.${on.namespace}.svc`], ipAddresses: [] };
      const period = { notBeforeMs: nowMs - HOUR_MS, notAfterMs: nowMs + HOUR_MS };
      const issued = await issueServing({ cert: cert ?? "", key: key ?? "" }, names, period);
      await injectCa(cert ?? "");
      await expectStill();
      await roll(managed, await service.startWithFiles(mount(issued)));
      await delay(1000);

      await stream.end();
      expect(stream.refused).toEqual([]);
      expect(stream.counts.admitted).toBeGreaterThan(20);
      expect(await bundle()).toBe(cert?.trim());
    },
  );
});
