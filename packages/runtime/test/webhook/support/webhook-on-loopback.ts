import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { onTestFinished } from "vitest";

import { silentLogger } from "../../../src/log/logger.ts";
import { createMetricsRegistry } from "../../../src/metrics/registry.ts";
import type { WebhookHandler } from "../../../src/webhook/webhook-handler.ts";
import { WebhookServer } from "../../../src/webhook/webhook-server.ts";

/** A webhook server over TLS until the end of a test. */
interface LoopbackServer {
  /** Such as `https://127.0.0.1:1234`. */
  readonly url: string;
  /** The certificate of its authority, in PEM form. */
  readonly ca: string;
  /** A folder for files of the test. */
  readonly folder: string;
}

/** Serves webhooks by their paths until the end of the test. */
export async function serveWebhooks(webhooks: Readonly<Record<string, WebhookHandler>>): Promise<LoopbackServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "webhooks-"));
  onTestFinished(async () => await rm(folder, { recursive: true }));
  const authority = await createCertificateAuthority("webhooks");
  const { cert, key } = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
  await writeFile(path.join(folder, "tls.crt"), cert);
  await writeFile(path.join(folder, "tls.key"), key);
  const server = new WebhookServer({
    host: "127.0.0.1",
    port: 0,
    certDir: folder,
    log: silentLogger,
    registry: createMetricsRegistry(),
  });
  for (const [name, webhook] of Object.entries(webhooks)) server.register(name, webhook);
  const stopping = new AbortController();
  const running = server.start(stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await running;
  });
  await Promise.race([server.listening, running]);
  return { url: `https://127.0.0.1:${String(server.port)}`, ca: authority.cert, folder };
}

/** Writes the kubeconfig with which an API server calls a webhook; returns its file. */
export async function writeWebhookKubeconfig(
  { url, ca, folder }: LoopbackServer,
  webhookPath: string,
): Promise<string> {
  const file = path.join(folder, "webhook.kubeconfig");
  const cluster = { server: `${url}${webhookPath}`, "certificate-authority-data": Buffer.from(ca).toString("base64") };
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "webhook",
    clusters: [{ name: "webhook", cluster }],
    users: [{ name: "webhook", user: {} }],
    contexts: [{ name: "webhook", context: { cluster: "webhook", user: "webhook" } }],
  };
  await writeFile(file, JSON.stringify(config));
  return file;
}
