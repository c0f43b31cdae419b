import { mkdtemp, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { Agent, type Server as HttpServer, request as httpsRequest } from "node:https";
import { createServer, Server as NetServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import tls, { connect } from "node:tls";

import { createCertificateAuthority, type CertificateAuthority } from "@kubescaffold/cluster";
import { handledLater } from "@kubescaffold/platform";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

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
  const running = handledLater(server.start(stopping.signal));
  await Promise.race([server.listening, running]);
  return { server, running, port: server.port ?? 0 };
}

async function get(
  port: number,
  path: string,
  method = "GET",
): Promise<{ readonly status: number; readonly body: string }> {
  return await new Promise((resolve, reject) => {
    const target = { host: "127.0.0.1", port, path, method, ca: authority.cert, agent: false };
    const request = httpsRequest(target, (response) => {
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

  it("serves TLS 1.2 and later only, also with a swapped certificate", async () => {
    const clock = new FakeClock();
    await mount(await authority.issueServer(NAMES));
    // Without the lower security level, OpenSSL itself would refuse the version.
    const { port } = await start({ clock, tls: { ciphers: "DEFAULT@SECLEVEL=0" } });
    const settings = { ca: authority.cert, minVersion: "TLSv1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    const isServed = async (maxVersion: "TLSv1.1" | "TLSv1.2"): Promise<boolean> =>
      await new Promise((resolve) => {
        const socket = connect({ host: "127.0.0.1", port, ...settings, maxVersion }, () => {
          resolve(true);
          socket.end();
        });
        socket.once("error", () => resolve(false));
      });
    const first = await servedSerial(port);
    expect([await isServed("TLSv1.1"), await isServed("TLSv1.2")]).toEqual([false, true]);
    const { DEFAULT_MIN_VERSION } = tls;
    tls.DEFAULT_MIN_VERSION = "TLSv1";
    try {
      await mount(await authority.issueServer(NAMES));
      clock.step(10_000);
      await expect.poll(async () => await servedSerial(port), { timeout: 20_000 }).not.toBe(first);
      expect([await isServed("TLSv1.1"), await isServed("TLSv1.2")]).toEqual([false, true]);
    } finally {
      tls.DEFAULT_MIN_VERSION = DEFAULT_MIN_VERSION;
    }
  });

  it("guarantee 11: serves for a while after it was stopped, also on idle connections, which it closes then", async () => {
    await mount(await authority.issueServer(NAMES));
    const clock = new FakeClock();
    const { port, running } = await start({ clock, shutdownDelayMs: 1000 });
    const agent = new Agent({ keepAlive: true, ca: authority.cert });
    const connectionHeader = async (): Promise<string | undefined> =>
      await new Promise((resolve, reject) => {
        httpsRequest({ host: "127.0.0.1", port, path: "/hello", agent }, (response) => {
          response.resume().once("end", () => resolve(response.headers.connection));
        })
          .once("error", reject)
          .end();
      });
    expect(await connectionHeader()).toBe("keep-alive");
    stopping.abort();
    await settle();
    expect(await connectionHeader()).toBe("close");
    expect(await get(port, "/hello")).toEqual({ status: 200, body: "hello" });
    clock.step(1000);
    await running;
    await expect(get(port, "/hello")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    agent.destroy();
  });

  it("guarantee 11: keeps idle connections open for 90 s, also after a certificate was swapped", async () => {
    const clock = new FakeClock();
    await mount(await authority.issueServer(NAMES));
    const { port } = await start({ clock });
    const agent = new Agent({ keepAlive: true, ca: authority.cert });
    const keptAlive = async (): Promise<unknown> =>
      await new Promise((resolve, reject) => {
        httpsRequest({ host: "127.0.0.1", port, path: "/hello", agent }, (response) => {
          response.resume().once("end", () => resolve(response.headers["keep-alive"]));
        })
          .once("error", reject)
          .end();
      });
    const first = await servedSerial(port);
    expect(await keptAlive()).toBe("timeout=90");
    await mount(await authority.issueServer(NAMES));
    clock.step(10_000);
    await expect.poll(async () => await servedSerial(port), { timeout: 20_000 }).not.toBe(first);
    agent.destroy();
    expect(await keptAlive()).toBe("timeout=90");
    agent.destroy();
  });

  it("has the limits of upstream for headers that are long, or slow", async () => {
    const listening = vi.spyOn(NetServer.prototype, "listen");
    await mount(await authority.issueServer(NAMES));
    const { port } = await start();
    const [server] = listening.mock.contexts as readonly HttpServer[];
    listening.mockRestore();
    expect(server).toMatchObject({ headersTimeout: 32_000, keepAliveTimeout: 90_000 });
    expect((await get(port, `/hello?${"x".repeat(500_000)}`)).status).toBe(200);
    const refused = await get(port, `/hello?${"x".repeat(1_100_000)}`).then(
      ({ status }) => status,
      (error: unknown) => (error as NodeJS.ErrnoException).code,
    );
    // The server closes the connection while the client still sends.
    expect([431, "ECONNRESET", "EPIPE"]).toContain(refused);
  });

  it("answers 404 to a path of slashes, and 405 to TRACE", async () => {
    await mount(await authority.issueServer(NAMES));
    const log = createRecordingLogger();
    const { port } = await start({ log });
    for (const target of ["//", "///x", "//hello"]) expect((await get(port, target)).status).toBe(404);
    expect((await get(port, "/hello", "TRACE")).status).toBe(405);
    expect((await get(port, "https://[/hello")).status).toBe(400);
    expect((await get(port, "https://user:password@host/hello")).status).toBe(400);
    expect(log.records.filter(({ severity }) => severity === "error")).toEqual([]);
  });

  it("refuses a second handler for a path", () => {
    const server = new WebhookServer({ log: silentLogger });
    server.register("/x", () => Promise.resolve(new Response()));
    expect(() => server.register("/x", () => Promise.resolve(new Response()))).toThrow(
      /second webhook for the path \/x/,
    );
  });
});
