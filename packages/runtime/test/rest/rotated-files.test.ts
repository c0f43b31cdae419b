import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TLSSocket } from "node:tls";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { inClusterConfig } from "../../src/config/get-config.ts";
import { parseKubeconfig } from "../../src/config/kubeconfig.ts";
import { restConfigOf } from "../../src/config/rest-config-of.ts";
import { createRestClient } from "../../src/rest/rest-client.ts";
import { makeCertificate, type TestCertificate } from "./certificates.ts";
import { sendJson, startServer, type RecordingServer } from "./recording-server.ts";

const VERSION = { method: "GET", path: "/version" } as const;
const LOOPBACK = [{ type: "ip", value: "127.0.0.1" }] as const;

const cleanUps: (() => Promise<void>)[] = [];
let folder: string;
let first: TestCertificate;
let second: TestCertificate;
let ann: TestCertificate;
let bob: TestCertificate;

beforeAll(async () => {
  [first, second, ann, bob] = await Promise.all([
    makeCertificate("first", LOOPBACK),
    makeCertificate("second", LOOPBACK),
    makeCertificate("ann"),
    makeCertificate("bob"),
  ]);
});

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "rotated-"));
  cleanUps.push(() => rm(folder, { recursive: true, force: true }));
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

async function startTls(certificate: TestCertificate): Promise<RecordingServer> {
  const server = await startServer(
    (response: ServerResponse & { readonly req: IncomingMessage }) =>
      sendJson(response, { user: (response.req.socket as TLSSocket).getPeerCertificate()?.subject?.CN }),
    { ...certificate, requestCert: true, rejectUnauthorized: false },
  );
  cleanUps.push(() => server.close());
  return server;
}

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(path.join(folder, name), text)));
}

function kubeconfig(server: string): string {
  return JSON.stringify({
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    clusters: [{ name: "test", cluster: { server, "certificate-authority": "ca.crt" } }],
    users: [{ name: "test", user: { "client-certificate": "client.crt", "client-key": "client.key" } }],
  });
}

describe("files of certificates", () => {
  it("guarantee 10: a changed client certificate of a kubeconfig is used within a minute, with its key", async () => {
    const server = await startTls(first);
    await write({ "ca.crt": first.cert, "client.crt": ann.cert, "client.key": ann.key });
    const clock = new FakeClock();
    const config = await restConfigOf(parseKubeconfig(kubeconfig(server.url), { source: "test", folder }));
    const client = createRestClient(config, { clock });
    cleanUps.push(() => client.close());
    expect(await client.request(VERSION)).toEqual({ user: "ann" });
    // A rotation that is half done: the key does not belong to the certificate.
    await write({ "client.crt": bob.cert });
    await clock.advance(60_000);
    expect(await client.request(VERSION)).toEqual({ user: "ann" });
    await write({ "client.key": bob.key });
    await clock.advance(60_000);
    expect(await client.request(VERSION)).toEqual({ user: "bob" });
    expect(server.connections).toBe(2);
    await write({ "client.crt": "", "client.key": "not a key" });
    await clock.advance(60_000);
    expect(await client.request(VERSION)).toEqual({ user: "bob" });
    expect(server.connections).toBe(2);
  });

  it("guarantee 10: a changed CA of the pod's service account is trusted within a minute", async () => {
    const server = await startTls(second);
    await write({ "ca.crt": first.cert, token: "t" });
    const config = await inClusterConfig({
      environment: { KUBERNETES_SERVICE_HOST: "127.0.0.1", KUBERNETES_SERVICE_PORT: new URL(server.url).port },
      serviceAccountFolder: folder,
    });
    const clock = new FakeClock();
    const client = createRestClient(config, { clock });
    cleanUps.push(() => client.close());
    await expect(client.request(VERSION)).rejects.toMatchObject({ failure: "untrusted" });
    await write({ "ca.crt": second.cert });
    await clock.advance(60_000);
    expect(await client.request(VERSION)).toEqual({});
  });
});
