import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

import { beforeAll, expect, it, onTestFinished } from "vitest";

import { withCallScope } from "../../src/log/call-scope.ts";
import { createRestClient, type RestClient, type RestClientOptions } from "../../src/rest/rest-client.ts";
import { makeCertificate, type TestCertificate } from "./certificates.ts";
import { sendJson, startServer, type RecordingServer } from "./recording-server.ts";

/** Refuses writes while it is closed. */
class WriteGate {
  isClosed = false;
  readonly check = (path: string): void => {
    if (this.isClosed) throw new Error(path);
  };
}

let certificate: TestCertificate;

beforeAll(async () => {
  certificate = await makeCertificate("server", [{ type: "ip", value: "127.0.0.1" }]);
});

/** A server with TLS whose connections wait until they are let through. */
interface WaitingServer {
  readonly server: RecordingServer;
  readonly url: string;
  readonly connected: Promise<unknown>;
  readonly letThrough: () => void;
}

async function startWaiting(): Promise<WaitingServer> {
  const server = await startServer((response) => sendJson(response, {}), certificate);
  let letThrough = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  const sockets = new Set<Socket>();
  const gate = createServer((socket) => {
    void promise.then(() => {
      const target = connect(Number(new URL(server.url).port), "127.0.0.1");
      sockets.add(target);
      socket.pipe(target).pipe(socket);
    });
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  gate.listen(0, "127.0.0.1");
  await once(gate, "listening");
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    gate.close();
    await server.close();
  });
  const url = `https://127.0.0.1:${String((gate.address() as AddressInfo).port)}`;
  return { server, url, connected: once(gate, "connection"), letThrough: () => letThrough() };
}

function clientOf({ url }: WaitingServer, options: RestClientOptions): RestClient {
  const client = createRestClient({ server: url, tls: { ca: certificate.cert } }, options);
  onTestFinished(async () => await client.close());
  return client;
}

const POST = { method: "POST", path: "/api/v1/namespaces/default/configmaps", body: {} } as const;

it("a write that is refused by the time it has a connection is not sent, and later ones are", async () => {
  const waiting = await startWaiting();
  const gate = new WriteGate();
  const client = clientOf(waiting, { beforeWrite: gate.check });
  const refused = client.request(POST).catch(String);
  await waiting.connected;
  gate.isClosed = true;
  waiting.letThrough();
  expect(await refused).toContain(POST.path);
  await client.request({ method: "GET", path: "/version" });
  gate.isClosed = false;
  await client.request(POST);
  expect(waiting.server.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
});

it("the check of the scope in which a write began refuses it when it has a connection", async () => {
  const waiting = await startWaiting();
  const gate = new WriteGate();
  const client = clientOf(waiting, {});
  const refused = withCallScope({ checkWrite: gate.check }, async () => await client.request(POST)).catch(String);
  await waiting.connected;
  gate.isClosed = true;
  waiting.letThrough();
  expect(await refused).toContain(POST.path);
  expect(waiting.server.requests).toEqual([]);
});

it("a WebSocket that is refused by the time it has a connection is not opened", async () => {
  const waiting = await startWaiting();
  const gate = new WriteGate();
  const client = clientOf(waiting, { beforeWrite: gate.check });
  const path = "/api/v1/namespaces/default/pods/a/exec";
  const refused = client.webSocket({ path, protocols: ["v5.channel.k8s.io"] }).catch(String);
  await waiting.connected;
  gate.isClosed = true;
  waiting.letThrough();
  expect(await refused).toContain(path);
  expect(waiting.server.requests).toEqual([]);
});
