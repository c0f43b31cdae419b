import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";

import { type CertificateAuthority, createCertificateAuthority, type KeyPair } from "@kubescaffold/cluster";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

import { BackendClient, type BackendCall, type BackendOutcome } from "../../src/aggregation/backend-client.ts";

const NAME = "one.default.svc";

let authority: CertificateAuthority;
let serverPair: KeyPair;
let clientPair: KeyPair;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  authority = await createCertificateAuthority("test");
  serverPair = await authority.issueServer({ dnsNames: [NAME] });
  clientPair = await authority.issueClient({ user: "front" });
});

afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
});

interface Backend {
  readonly sockets: Set<Socket>;
  readonly call: (parts?: Partial<BackendCall>) => Promise<BackendOutcome>;
}

async function serve(listener: RequestListener): Promise<Backend> {
  const sockets = new Set<Socket>();
  const options = { ...serverPair, ca: authority.cert, requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, listener).on("secureConnection", (socket) => sockets.add(socket));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = new BackendClient(async () => await Promise.resolve(clientPair));
  cleanUps.push(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const call = async (parts: Partial<BackendCall> = {}): Promise<BackendOutcome> =>
    await client.call({
      backend: { kind: "address", address: { host: "127.0.0.1", port } },
      location: `${NAME}:443`,
      serverName: NAME,
      caBundle: Buffer.from(authority.cert).toString("base64"),
      isVerified: true,
      method: "GET",
      path: "/",
      headers: { host: NAME },
      body: new Uint8Array(),
      user: { name: "jane", groups: [] },
      signal: new AbortController().signal,
      ...parts,
    });
  return { sockets, call };
}

async function textOf(outcome: BackendOutcome): Promise<string> {
  if (outcome.kind !== "answer") return outcome.kind;
  const chunks: Uint8Array[] = [];
  for await (const chunk of outcome.body) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

describe("a server behind an address", () => {
  it("sees the certificate of the client, and keeps the connection", async () => {
    const { call, sockets } = await serve(({ socket }, response) => {
      response.end((socket as TLSSocket).getPeerCertificate().subject.CN);
    });
    expect(await textOf(await call())).toBe("front");
    expect(await textOf(await call())).toBe("front");
    expect(sockets.size).toBe(1);
  });

  it("keeps the connection after responses without a body, whose cancellation costs nothing", async () => {
    const { call, sockets } = await serve((_request, response) => {
      response.writeHead(204).end();
    });
    for (let count = 0; count < 3; count += 1) {
      const outcome = await call();
      expect(outcome).toMatchObject({ kind: "answer", status: 204 });
      if (outcome.kind === "answer") outcome.cancel();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sockets.size).toBe(1);
  });

  it("gets a request again if it had closed the connection that was kept", async () => {
    const { call, sockets } = await serve((_request, response) => {
      response.end("ok");
    });
    await textOf(await call());
    const [first] = sockets;
    first?.destroy();
    expect(await textOf(await call())).toBe("ok");
    expect(sockets.size).toBe(2);
  });

  it("fails in the words of Go for a certificate of another name, and for one that is not trusted", async () => {
    const { call } = await serve((_request, response) => {
      response.end("ok");
    });
    expect(await call({ serverName: "two.default.svc" })).toEqual({
      kind: "failed",
      message: "tls: failed to verify certificate: x509: certificate is valid for one.default.svc, not two.default.svc",
    });
    const other = await createCertificateAuthority("other");
    const caBundle = Buffer.from(other.cert).toString("base64");
    expect(await call({ caBundle })).toEqual({
      kind: "failed",
      message: "tls: failed to verify certificate: x509: certificate signed by unknown authority",
    });
    expect(await textOf(await call({ caBundle, serverName: "three", isVerified: false }))).toBe("ok");
  });

  it("ends its response with the signal of the request", async () => {
    const { call } = await serve((_request, response) => {
      response.write("a");
    });
    const controller = new AbortController();
    const outcome = await call({ signal: controller.signal });
    const read = textOf(outcome);
    controller.abort();
    await expect(read).rejects.toThrow("aborted");
  });
});
