import { once } from "node:events";
import { connect as connectTcp, type Socket } from "node:net";
import type { Duplex } from "node:stream";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { Pod, Service } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { createCertificateAuthority } from "../../packages/cluster/src/cluster/certificate-authority.ts";
import {
  drippingAnswers,
  ENDLESS_ANSWERS,
  HOSTILE_ANSWERS,
  type HostileAnswer,
  type HostileServer,
  startHostileServer,
} from "../support/hostile-answers.ts";

const LIVENESS = { timeout: 120_000 };
const GROUP_VERSION = "hostile.example.com/v1";

let cluster: EmbeddedCluster;
let server: URL;
let authorization: string;
let plain: HostileServer;
let secure: HostileServer;

beforeEach(async () => {
  const authority = await createCertificateAuthority("hostile");
  plain = await startHostileServer();
  secure = await startHostileServer(await authority.issueServer({ dnsNames: ["s.default.svc"] }));
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.images.define("hostile:*", async ({ ports, signal }) => {
    ports.listen(80, (connection) => join(connection, plain.port));
    ports.listen(443, (connection) => join(connection, secure.port));
    await once(signal, "abort");
  });
  const { config } = await cluster.listen({ tls: false });
  server = new URL(config.server);
  authorization = `Bearer ${config.credentials?.kind === "token" ? config.credentials.token : ""}`;
  const client = createClient(cluster.config);
  const containers = [{ name: "c", image: "hostile:1" }];
  const metadata = { name: "s", namespace: "default", labels: { app: "s" } };
  await client.create(Pod.create({ metadata, spec: { containers } }));
  const ports = [
    { name: "plain", port: 80 },
    { name: "secure", port: 443 },
  ];
  await client.create(Service.create({ metadata, spec: { selector: { app: "s" }, ports } }));
  await cluster.server.idle();
});

afterEach(async () => {
  await cluster.close();
});

// Passes the end and the reset of a connection on, as a network does.
function join(connection: Duplex, port: number): void {
  const socket = connectTcp(port, "127.0.0.1");
  socket.on("error", (error) => connection.destroy(error));
  connection.on("error", () => socket.destroy());
  connection.once("close", () => socket.destroy());
  connection.pipe(socket).pipe(connection);
}

interface Relay {
  readonly path: string;
  readonly isSecure: boolean;
}

const RELAYS: Readonly<Record<string, Relay>> = {
  "the proxy to a Pod": { path: "/api/v1/namespaces/default/pods/s:80/proxy/x", isSecure: false },
  "the proxy to a Pod over HTTPS": { path: "/api/v1/namespaces/default/pods/https:s:443/proxy/x", isSecure: true },
  "the proxy to a Service": { path: "/api/v1/namespaces/default/services/s:plain/proxy/x", isSecure: false },
  "the aggregator": { path: `/apis/${GROUP_VERSION}/namespaces/default/widgets`, isSecure: true },
};

async function prepare(name: string): Promise<void> {
  if (name !== "the aggregator") return;
  secure.answer = {
    name: "an available server",
    send: (socket) =>
      void socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}"),
  };
  const spec = {
    group: "hostile.example.com",
    version: "v1",
    service: { namespace: "default", name: "s" },
    insecureSkipTLSVerify: true,
    groupPriorityMinimum: 1000,
    versionPriority: 10,
  };
  const body = {
    apiVersion: "apiregistration.k8s.io/v1",
    kind: "APIService",
    metadata: { name: "v1.hostile.example.com" },
    spec,
  };
  const created = await exchange("/apis/apiregistration.k8s.io/v1/apiservices", "POST", JSON.stringify(body));
  expect(created).toMatch(/^HTTP\/1\.1 201 /u);
  await expect
    .poll(async () => await exchange("/apis/apiregistration.k8s.io/v1/apiservices/v1.hostile.example.com"), {
      timeout: 30_000,
    })
    .toContain('"reason":"Passed"');
}

function open(path: string, method = "GET", body = ""): Socket {
  const socket = connectTcp(Number(server.port), server.hostname);
  socket.on("error", () => undefined);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nConnection: close\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  );
  return socket;
}

/** Returns the bytes of a response, at most 1 MiB, and closes the connection. */
async function exchange(path: string, method?: string, body?: string): Promise<string> {
  const socket = open(path, method, body);
  let text = "";
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1");
    if (text.length > 1024 * 1024) socket.destroy();
  });
  await once(socket, "close");
  return text;
}

describe.each(Object.entries(RELAYS))("%s", (name, { path, isSecure }) => {
  const answering = (answer: HostileAnswer): void => {
    if (isSecure) secure.answer = answer;
    else plain.answer = answer;
  };

  it("answers each hostile response with a response, or closes the connection, and goes on", LIVENESS, async () => {
    await prepare(name);
    // Vitest fails for exceptions and rejections that nobody catches.
    const statuses = new Map<string, number>();
    const answers = [...HOSTILE_ANSWERS, ...ENDLESS_ANSWERS];
    for (const answer of answers) {
      answering(answer);
      const text = await exchange(path);
      const status = /^HTTP\/1\.1 (\d{3}) /u.exec(text)?.[1] ?? "none";
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      expect([answer.name, text === "" || status !== "none"]).toEqual([answer.name, true]);
    }
    // Each was sent, and most were passed on or refused.
    const { answered } = isSecure ? secure : plain;
    expect(answers.filter((answer) => !answered.has(answer))).toEqual([]);
    expect(statuses.get("200") ?? 0).toBeGreaterThan(20);
    expect(statuses.get("503") ?? 0).toBeGreaterThan(20);
    expect(await exchange("/version")).toMatch(/^HTTP\/1\.1 200 /u);
  });

  it("closes the connection to a server that drips when the client goes away", LIVENESS, async () => {
    await prepare(name);
    let client: Socket | undefined;
    let onEnd = (): void => undefined;
    for (const answer of drippingAnswers({ onDrip: () => client?.destroy(), onEnd: () => onEnd() })) {
      const ended = new Promise<void>((resolve) => {
        onEnd = resolve;
      });
      answering(answer);
      client = open(path);
      client.resume();
      await ended;
      expect(client.destroyed).toBe(true);
    }
    expect(await exchange("/version")).toMatch(/^HTTP\/1\.1 200 /u);
  });
});
