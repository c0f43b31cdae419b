import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";

import { createCertificateAuthority, type CertificateAuthority } from "@kubescaffold/cluster";
import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createRecordingLogger } from "../../src/log/logger.ts";
import { createMetricsRegistry } from "../../src/metrics/registry.ts";
import type { KeyPair } from "../../src/webhook/certificate-watcher.ts";
import { WebhookServer } from "../../src/webhook/webhook-server.ts";

let authority: CertificateAuthority;
let folder: string;
let stopping: AbortController;
const clock = new FakeClock();
const log = createRecordingLogger();

beforeEach(async () => {
  authority = await createCertificateAuthority("webhook-test");
  folder = await mkdtemp(path.join(tmpdir(), "webhook-client-ca-"));
  stopping = new AbortController();
  const { cert, key } = await authority.issueServer({ dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] });
  await Promise.all([writeFile(path.join(folder, "tls.crt"), cert), writeFile(path.join(folder, "tls.key"), key)]);
});

afterEach(async () => {
  stopping.abort();
  await rm(folder, { recursive: true, force: true });
});

const mountClientCa = async (text: string): Promise<void> => await writeFile(path.join(folder, "ca.crt"), text);

function createServer(): WebhookServer {
  const options = { host: "127.0.0.1", port: 0, certDir: folder, clientCaName: "ca.crt" };
  const server = new WebhookServer({ ...options, clock, log, registry: createMetricsRegistry() });
  server.register("/hello", () => Promise.resolve(new Response("hello")));
  return server;
}

async function start(): Promise<number> {
  const server = createServer();
  await Promise.race([server.listening, server.start(stopping.signal)]);
  return server.port ?? 0;
}

/** Returns the status of a request with a client certificate, or "refused" when the handshake fails. */
async function call(port: number, client?: KeyPair): Promise<number | "refused"> {
  return await new Promise((resolve) => {
    const target = { host: "127.0.0.1", port, path: "/hello", ca: authority.cert, agent: false, ...client };
    const request = httpsRequest(target, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.once("error", () => resolve("refused"));
    request.end();
  });
}

async function authorityOfClients(name: string): Promise<{ readonly ca: string; readonly client: KeyPair }> {
  const clients = await createCertificateAuthority(name);
  return { ca: clients.cert, client: await clients.issueClient({ user: "kube-apiserver", groups: [] }) };
}

describe("clientCaName", () => {
  it("serves only clients whose certificate the authority signed", async () => {
    const [known, unknown] = [await authorityOfClients("known"), await authorityOfClients("unknown")];
    await mountClientCa(known.ca);
    const port = await start();
    expect([await call(port), await call(port, unknown.client), await call(port, known.client)]).toEqual([
      "refused",
      "refused",
      200,
    ]);
  });

  it("accepts the clients of a new authority after its file changed, and keeps the former one when the file is broken", async () => {
    const [former, next] = [await authorityOfClients("former"), await authorityOfClients("next")];
    await mountClientCa(former.ca);
    const port = await start();
    await mountClientCa(next.ca);
    clock.step(10_000);
    await expect.poll(async () => await call(port, next.client), { timeout: 20_000 }).toBe(200);
    expect(log.records.map(({ message }) => message)).toContain("using new client certificate authorities");
    expect(log.records.map(({ message }) => message)).not.toContain("serving a new certificate");
    expect(await call(port, former.client)).toBe("refused");

    await expect.poll(() => clock.pendingTimers, { timeout: 20_000 }).toBe(1);
    await mountClientCa("garbage");
    clock.step(10_000);
    const errors = () => log.records.filter(({ severity }) => severity === "error");
    await expect.poll(() => errors().length, { timeout: 20_000 }).toBe(1);
    expect(await call(port, next.client)).toBe(200);
  });

  it("serves the clients of all authorities of a bundle, with text between them", async () => {
    const [one, other] = [await authorityOfClients("one"), await authorityOfClients("other")];
    await mountClientCa(`# one\n${one.ca}# other\n${other.ca}`);
    const port = await start();
    expect([await call(port, one.client), await call(port, other.client)]).toEqual([200, 200]);
  });

  it.each(["missing", "garbage", "broken after its first certificate"])(
    "fails the start when the file is %s, and names it",
    async (state) => {
      if (state === "garbage") await mountClientCa("garbage");
      if (state.startsWith("broken")) {
        await mountClientCa(`${authority.cert}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
      }
      await expect(createServer().start(stopping.signal)).rejects.toMatchObject({
        code: "WEBHOOK_CLIENT_CA",
        message: expect.stringContaining(path.join(folder, "ca.crt")) as string,
      });
    },
  );
});
