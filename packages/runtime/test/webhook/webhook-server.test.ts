import { mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { request as httpsRequest } from "node:https";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { connect } from "node:tls";

import { createCertificateAuthority, type CertificateAuthority } from "@kubescaffold/apiserver";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { FakeClock, settle } from "../../src/clock/fake-clock.ts";
import { createRecordingLogger, silentLogger } from "../../src/log/logger.ts";
import { certificateMetrics } from "../../src/metrics/webhook-metrics.ts";
import { WebhookServer, type WebhookServerOptions } from "../../src/webhook/webhook-server.ts";

let authority: CertificateAuthority;
let folder: string;
let stopping: AbortController;

beforeEach(async () => {
  authority = await createCertificateAuthority("webhook-test");
  folder = await mkdtemp(path.join(tmpdir(), "webhook-server-"));
  stopping = new AbortController();
});

afterEach(async () => {
  stopping.abort();
  await rm(folder, { recursive: true, force: true });
});

// As a mounted secret: the files are links into a folder that is swapped as a whole.
async function mount(pair: { readonly cert: string; readonly key: string }): Promise<void> {
  const version = await mkdtemp(path.join(folder, "..data_"));
  await writeFile(path.join(version, "tls.crt"), pair.cert);
  await writeFile(path.join(version, "tls.key"), pair.key);
  await symlink(path.basename(version), path.join(folder, "..data_tmp"));
  await rename(path.join(folder, "..data_tmp"), path.join(folder, "..data"));
  for (const name of ["tls.crt", "tls.key"]) {
    await unlink(path.join(folder, name)).catch(() => undefined);
    await symlink(path.join("..data", name), path.join(folder, name));
  }
}

interface Started {
  readonly server: WebhookServer;
  readonly running: Promise<void>;
  readonly port: number;
}

async function start(options: WebhookServerOptions = {}): Promise<Started> {
  const server = new WebhookServer({ host: "127.0.0.1", port: 0, certDir: folder, log: silentLogger, ...options });
  server.register("/hello", () => Promise.resolve(new Response("hello")));
  const running = server.start(stopping.signal);
  running.catch(() => undefined);
  await Promise.race([server.listening, running]);
  return { server, running, port: server.port ?? 0 };
}

async function get(port: number, path: string): Promise<{ readonly status: number; readonly body: string }> {
  return await new Promise((resolve, reject) => {
    const request = httpsRequest({ host: "127.0.0.1", port, path, ca: authority.cert, agent: false }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.once("error", reject);
    request.end();
  });
}

async function servedSerial(port: number): Promise<string> {
  return await new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, ca: authority.cert }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.end();
    });
    socket.once("error", reject);
  });
}

const NAMES = { dnsNames: ["localhost"], ipAddresses: ["127.0.0.1"] };

describe("WebhookServer", () => {
  it("serves registered paths over HTTPS and 404 elsewhere", async () => {
    await mount(await authority.issueServer(NAMES));
    const { port, server, running } = await start();
    expect(await get(port, "/hello")).toEqual({ status: 200, body: "hello" });
    expect((await get(port, "/other")).status).toBe(404);
    await server.startedChecker()(new Request("http://localhost/readyz"));
    stopping.abort();
    await running;
  });

  it("row 43: a missing certificate fails the start and names the file", async () => {
    const server = new WebhookServer({ host: "127.0.0.1", port: 0, certDir: folder, log: silentLogger });
    await expect(server.start(stopping.signal)).rejects.toMatchObject({
      code: "WEBHOOK_CERTIFICATE",
      message: expect.stringContaining(path.join(folder, "tls.crt")) as string,
    });
  });

  it("names the port when another process has it", async () => {
    await mount(await authority.issueServer(NAMES));
    const blocker = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => blocker.once("listening", resolve));
    const { port } = blocker.address() as { readonly port: number };
    const server = new WebhookServer({ host: "127.0.0.1", port, certDir: folder, log: silentLogger });
    await expect(server.start(stopping.signal)).rejects.toMatchObject({
      code: "WEBHOOK_LISTEN",
      message: expect.stringContaining(String(port)) as string,
    });
    blocker.close();
  });

  it("row 42: a swapped certificate is served to new connections within 15 s, and garbage leaves the former in use", async () => {
    const clock = new FakeClock();
    const log = createRecordingLogger();
    await mount(await authority.issueServer(NAMES));
    const { port } = await start({ clock, log });
    const first = await servedSerial(port);
    await mount(await authority.issueServer(NAMES));
    clock.step(10_000);
    await expect.poll(async () => await servedSerial(port), { timeout: 20_000 }).not.toBe(first);
    const second = await servedSerial(port);
    const errorsBefore = (await certificateMetrics().readErrors.get()).values[0]?.value ?? 0;
    await mount({ cert: "garbage", key: "garbage" });
    await expect.poll(() => clock.pendingTimers, { timeout: 20_000 }).toBe(1);
    clock.step(10_000);
    await expect
      .poll(async () => (await certificateMetrics().readErrors.get()).values[0]?.value, { timeout: 20_000 })
      .toBe(errorsBefore + 1);
    await settle();
    expect(await servedSerial(port)).toBe(second);
    expect(log.records.some(({ severity }) => severity === "error")).toBe(true);
  });

  it("refuses a second handler for a path", () => {
    const server = new WebhookServer({ log: silentLogger });
    server.register("/x", () => Promise.resolve(new Response()));
    expect(() => server.register("/x", () => Promise.resolve(new Response()))).toThrow(
      /second webhook for the path \/x/,
    );
  });
});
