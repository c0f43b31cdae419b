import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";

import { Environment } from "@kubescaffold/envtest";
import type { ValidatingWebhookConfiguration } from "@kubescaffold/k8s/admissionregistration/v1";
import { afterAll, beforeAll, expect, it } from "vitest";

import { issueServing } from "../../src/certificates/issue-certificates.ts";
import { createSelfSignedPair, type SelfSignedPair } from "../../src/certificates/self-signed-certificate.ts";
import { createNamespace, type ServerNamespace } from "../support/controller-on-server.ts";
import { WebhookService, type WebhookReplica } from "./webhook-service.ts";

const LIVENESS_MS = 600_000;
const ANNOTATION = "cert-manager.io/inject-ca-from";
const HOUR_MS = 3_600_000;

const environment = new Environment({ startTimeoutMs: 300_000 });
const folder = mkdtempSync(path.join(tmpdir(), "certificates-"));
let on: ServerNamespace;
let service: WebhookService;

beforeAll(async () => {
  const config = await environment.start();
  on = await createNamespace(config);
  service = new WebhookService(config, on);
  await service.install();
}, 300_000);

afterAll(async () => {
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

async function change(to: (present: ValidatingWebhookConfiguration) => ValidatingWebhookConfiguration): Promise<void> {
  await on.live.update(to(await service.configuration()), { fieldOwner: "cert-manager-cainjector" });
}

async function injectCa(ca: string): Promise<void> {
  const caBundle = Buffer.from(ca).toString("base64");
  await change((present) => ({
    ...present,
    metadata: { ...present.metadata, annotations: { [ANNOTATION]: `${on.namespace}/serving-cert` } },
    webhooks: (present.webhooks ?? []).map((each) => ({ ...each, clientConfig: { ...each.clientConfig, caBundle } })),
  }));
}

async function removeAnnotation(): Promise<void> {
  await change((present) => ({ ...present, metadata: { ...present.metadata, annotations: {} } }));
}

async function bundle(): Promise<string> {
  const { webhooks } = await service.configuration();
  return Buffer.from(webhooks?.[0]?.clientConfig.caBundle ?? "", "base64").toString();
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
    await removeAnnotation();
    await roll(mounted, managed);
    const { data = {} } = (await service.secret()) ?? {};
    const [cert, key] = ["ca.crt", "ca.key"].map((each) => Buffer.from(data[each] ?? "", "base64").toString());
    await expect.poll(bundle, { timeout: 120_000 }).toBe(cert);

    const nowMs = Date.now();
    const names = { dnsNames: [`webhooks.${on.namespace}.svc`], ipAddresses: [] };
    const period = { notBeforeMs: nowMs - HOUR_MS, notAfterMs: nowMs + HOUR_MS };
    const issued = await issueServing({ cert: cert ?? "", key: key ?? "" }, names, period);
    await injectCa(cert ?? "");
    await roll(managed, await service.startWithFiles(mount(issued)));
    await delay(1000);

    await stream.end();
    expect(stream.refused).toEqual([]);
    expect(stream.counts.admitted).toBeGreaterThan(20);
    expect(await bundle()).toBe(cert);
  },
);
