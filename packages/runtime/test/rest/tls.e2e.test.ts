import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TLSSocket } from "node:tls";

import type { ExecCredentialConfig, RestConfig } from "@kubescaffold/k8s";
import { FakeClock, settle } from "@kubescaffold/platform/clock";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { makeCertificate, type TestCertificate } from "./certificates.ts";
import { sendJson, startServer, type RecordingServer } from "./recording-server.ts";

const cleanUps: (() => Promise<void>)[] = [];
let serverCertificate: TestCertificate;
let ann: TestCertificate;
let bob: TestCertificate;

beforeAll(async () => {
  serverCertificate = await makeCertificate("server", [
    { type: "ip", value: "10.0.0.1" },
    { type: "dns", value: "api.example" },
  ]);
  [ann, bob] = await Promise.all([makeCertificate("ann"), makeCertificate("bob")]);
});

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) {
    await cleanUp();
  }
});

// Answers with the common name of the client's certificate and its Authorization header.
async function startTls(): Promise<RecordingServer> {
  const server = await startServer(
    (response, request) => {
      sendJson(response, { certificate: peerOf(response), authorization: request.headers.authorization });
    },
    { ...serverCertificate, requestCert: true, rejectUnauthorized: false },
  );
  cleanUps.push(() => server.close());
  return server;
}

function peerOf(response: ServerResponse & { readonly req: IncomingMessage }): string | undefined {
  return (response.req.socket as TLSSocket).getPeerCertificate()?.subject?.CN as string | undefined;
}

function connect(server: RecordingServer, config: Partial<RestConfig>, clock?: FakeClock): RestClient {
  const client = createRestClient({ server: server.url, ...config }, clock === undefined ? {} : { clock });
  cleanUps.push(() => client.close());
  return client;
}

const VERSION = { method: "GET", path: "/version" } as const;

describe("TLS", () => {
  it.each([["api.example"], ["10.0.0.1"]])(
    "a server is trusted by its authority under the name %s",
    async (serverName) => {
      const server = await startTls();
      const client = connect(server, { tls: { ca: serverCertificate.cert, serverName } });
      expect(await client.request(VERSION)).toEqual({});
    },
  );

  it("a server with another name is not trusted", async () => {
    const server = await startTls();
    const client = connect(server, { tls: { ca: serverCertificate.cert } });
    await expect(client.request(VERSION)).rejects.toMatchObject({ code: "CLIENT_UNREACHABLE", failure: "untrusted" });
    expect(server.requests).toEqual([]);
  });

  it("a server of an unknown CA is not trusted, unless verification is disabled", async () => {
    const server = await startTls();
    const strict = connect(server, { tls: { serverName: "api.example" } });
    const error = await strict.request(VERSION).catch((each: unknown) => each);
    expect(error).toMatchObject({ failure: "untrusted", hint: expect.stringContaining("certificate-authority-data") });
    const lax = connect(server, { tls: { insecureSkipTlsVerify: true } });
    expect(await lax.request(VERSION)).toEqual({});
  });

  it("a client certificate authenticates the client", async () => {
    const server = await startTls();
    const client = connect(server, { tls: { insecureSkipTlsVerify: true, ...ann } });
    expect(await client.request(VERSION)).toEqual({ certificate: "ann" });
  });
});

describe("client certificates that cannot be used", () => {
  it.each([
    [() => ({ cert: "garbage", key: "garbage" })],
    [() => ({ cert: ann.cert, key: "garbage" })],
    [() => ({ cert: ann.cert, key: bob.key })],
  ])("are named (%#)", async (tls) => {
    const client = createRestClient({ server: "https://127.0.0.1:1", tls: tls() });
    await expect(client.request(VERSION)).rejects.toMatchObject({
      code: "CLIENT_INVALID_CONFIG",
      message: expect.stringContaining("the client certificate and its key cannot be used: "),
    });
  });
});

interface Plugin {
  readonly exec: ExecCredentialConfig;
  readonly print: (output: unknown) => Promise<void>;
  readonly calls: () => Promise<readonly { readonly info: string; readonly extra: string }[]>;
}

// A credential program that prints the contents of a file and notes how it was called.
async function makePlugin(overrides: Partial<ExecCredentialConfig> = {}): Promise<Plugin> {
  const folder = await mkdtemp(path.join(tmpdir(), "exec-"));
  cleanUps.push(() => rm(folder, { recursive: true }));
  const [output, calls, script] = ["output.json", "calls", "plugin.mjs"].map((name) => path.join(folder, name));
  await writeFile(calls ?? "", "");
  await writeFile(
    script ?? "",
    `import { appendFileSync, readFileSync } from "node:fs";
     const { KUBERNETES_EXEC_INFO: info, EXTRA: extra } = process.env;
     appendFileSync(${JSON.stringify(calls)}, JSON.stringify({ info, extra }) + "\\n");
     process.stdout.write(readFileSync(${JSON.stringify(output)}, "utf8"));`,
  );
  return {
    exec: {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: [script ?? ""],
      env: [{ name: "EXTRA", value: "yes" }],
      provideClusterInfo: false,
      interactiveMode: "Never",
      ...overrides,
    },
    print: (value) => writeFile(output ?? "", typeof value === "string" ? value : JSON.stringify(value)),
    calls: async () => {
      const { readFile } = await import("node:fs/promises");
      const lines = (await readFile(calls ?? "", "utf8")).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as { readonly info: string; readonly extra: string });
    },
  };
}

function credential(status: Readonly<Record<string, unknown>>): object {
  return { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1", status };
}

describe("credential programs", () => {
  const tls = { insecureSkipTlsVerify: true };

  it("the printed token is used until it expires, and the program runs once for calls at the same time", async () => {
    const clock = new FakeClock();
    const plugin = await makePlugin();
    await plugin.print(credential({ token: "one", expirationTimestamp: new Date(clock.now() + 60_000).toISOString() }));
    const server = await startTls();
    const config: RestConfig = { server: server.url, tls, credentials: { kind: "exec", exec: plugin.exec } };
    const [client, other] = [connect(server, config, clock), connect(server, config, clock)];
    const answers = await Promise.all([client, client, other].map((each) => each.request(VERSION)));
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ authorization: "Bearer one" })));
    expect(await plugin.calls()).toHaveLength(1);
    await plugin.print(credential({ token: "two" }));
    clock.step(60_001);
    expect(await client.request(VERSION)).toEqual({ authorization: "Bearer two" });
    clock.step(86_400_000);
    expect(await client.request(VERSION)).toEqual({ authorization: "Bearer two" });
    expect(await plugin.calls()).toHaveLength(2);
  });

  it("the printed certificate is shown to the server, also after it changed", async () => {
    const clock = new FakeClock();
    const plugin = await makePlugin();
    const print = (certificate: TestCertificate): Promise<void> =>
      plugin.print(
        credential({
          clientCertificateData: certificate.cert,
          clientKeyData: certificate.key,
          expirationTimestamp: new Date(clock.now() + 1000).toISOString(),
        }),
      );
    const server = await startTls();
    const client = connect(server, { tls, credentials: { kind: "exec", exec: plugin.exec } }, clock);
    await print(ann);
    expect(await client.request(VERSION)).toEqual({ certificate: "ann" });
    await print(bob);
    clock.step(1001);
    expect(await client.request(VERSION)).toEqual({ certificate: "bob" });
  });

  it("the program learns of the cluster when it wants to, and gets its environment", async () => {
    const plugin = await makePlugin({ provideClusterInfo: true, clusterConfig: { audience: "x" } });
    await plugin.print(credential({ token: "one" }));
    const server = await startTls();
    await connect(server, {
      tls: { ca: serverCertificate.cert, serverName: "api.example" },
      credentials: { kind: "exec", exec: plugin.exec },
    }).request(VERSION);
    const [call] = await plugin.calls();
    expect(call?.extra).toBe("yes");
    expect(JSON.parse(call?.info ?? "")).toEqual({
      kind: "ExecCredential",
      apiVersion: "client.authentication.k8s.io/v1",
      spec: {
        interactive: false,
        cluster: {
          server: server.url,
          "tls-server-name": "api.example",
          "certificate-authority-data": Buffer.from(serverCertificate.cert).toString("base64"),
          config: { audience: "x" },
        },
      },
    });
  });

  it("a rejected token is renewed", async () => {
    const plugin = await makePlugin();
    await plugin.print(credential({ token: "old" }));
    const server = await startServer((response, request) =>
      sendJson(response, {}, request.headers.authorization === "Bearer new" ? 200 : 401),
    );
    cleanUps.push(() => server.close());
    const client = connect(server, { credentials: { kind: "exec", exec: plugin.exec } });
    await expect(client.request(VERSION)).rejects.toMatchObject({ status: { reason: "Unauthorized" } });
    await plugin.print(credential({ token: "new" }));
    await client.request(VERSION);
    expect(server.requests.at(-1)?.headers.authorization).toBe("Bearer new");
  });

  it.each([
    ["nonsense", "not JSON"],
    [
      { kind: "ExecCredential", apiVersion: "client.authentication.k8s.io/v1beta1", status: { token: "x" } },
      "was expected",
    ],
    [credential({}), "neither a token nor a certificate"],
    [credential({ clientCertificateData: "x" }), "it printed only one of certificate and key"],
    [credential({ token: "x", expirationTimestamp: "tomorrow" }), '"tomorrow", which is not a time'],
    ["null", "its output is not a JSON object"],
    [credential({ token: 5 }), "an invalid token"],
    [credential({ token: "x", expirationTimestamp: 5 }), "an invalid expirationTimestamp"],
    [{ ...credential({}), status: "x" }, "an invalid status"],
    [credential({ token: null, clientCertificateData: null }), "neither a token nor a certificate"],
    [credential({ token: "x\n" }), "a token with a character that an HTTP header cannot contain"],
  ])("an output that cannot be used is explained (%#)", async (output, message) => {
    const plugin = await makePlugin();
    await plugin.print(output);
    const client = createRestClient({ server: "http://127.0.0.1:1", credentials: { kind: "exec", exec: plugin.exec } });
    const error = await client.request(VERSION).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: "CLIENT_EXEC_CREDENTIAL", message: expect.stringContaining(message) });
  });

  it("a missing or failed program is an error with its output and install hint", async () => {
    const missing = await makePlugin({ command: "no-such-program-anywhere", installHint: "get it from its shop" });
    const client = createRestClient({
      server: "http://127.0.0.1:1",
      credentials: { kind: "exec", exec: missing.exec },
    });
    await expect(client.request(VERSION)).rejects.toMatchObject({
      message: "cannot get credentials from no-such-program-anywhere: no such program",
      hint: "get it from its shop",
    });
    const unfit = await makePlugin({ args: ["a\0b"], installHint: "\u001b[31mget it\u001b[0m" });
    const failed = createRestClient({
      server: "http://127.0.0.1:1",
      credentials: { kind: "exec", exec: unfit.exec },
    });
    await expect(failed.request(VERSION)).rejects.toMatchObject({
      code: "CLIENT_EXEC_CREDENTIAL",
      message: expect.stringContaining("it cannot be started"),
      hint: "get it",
    });
    const failing = await makePlugin({ args: ["-e", "process.exit(3)"] });
    const other = createRestClient({ server: "http://127.0.0.1:1", credentials: { kind: "exec", exec: failing.exec } });
    await expect(other.request(VERSION)).rejects.toThrow("it exited with 3");
  });

  it("guarantee 23: a program that waits for a login ends neither with the idle timeout nor with one call, which its signal ends", async () => {
    const clock = new FakeClock();
    const gate = path.join(await mkdtemp(path.join(tmpdir(), "login-")), "done");
    cleanUps.push(() => rm(path.dirname(gate), { recursive: true }));
    const output = JSON.stringify(JSON.stringify(credential({ token: "late" })));
    const wait = `const { existsSync } = require("node:fs");
      setTimeout(() => process.exit(1), 60_000);
      setInterval(() => {
        if (!existsSync(${JSON.stringify(gate)})) return;
        process.stdout.write(${output});
        process.exit();
      }, 10);`;
    const plugin = await makePlugin({ args: ["-e", wait] });
    const server = await startTls();
    const client = connect(server, { tls, credentials: { kind: "exec", exec: plugin.exec } }, clock);
    const abort = new AbortController();
    const reason = new Error("enough");
    const ended = client.request({ ...VERSION, signal: abort.signal }).catch((error: unknown) => error);
    const patient = client.request(VERSION);
    await settle();
    abort.abort(reason);
    expect(await ended).toBe(reason);
    await clock.advance(600_000);
    await writeFile(gate, "");
    expect(await patient).toEqual({ authorization: "Bearer late" });
  });

  it("an interactive program fails without a terminal, and an unknown protocol is refused", async () => {
    const asking = await makePlugin({ interactiveMode: "Always" });
    const client = createRestClient({ server: "http://127.0.0.1:1", credentials: { kind: "exec", exec: asking.exec } });
    await expect(client.request(VERSION)).rejects.toThrow("standard input is not a terminal");
    const old = await makePlugin({ apiVersion: "client.authentication.k8s.io/v1alpha1" });
    const other = createRestClient({ server: "http://127.0.0.1:1", credentials: { kind: "exec", exec: old.exec } });
    await expect(other.request(VERSION)).rejects.toThrow("v1alpha1");
  });
});
