import { connect, type Socket } from "node:net";

import { createApiServer } from "@kubescaffold/apiserver";
import { HttpServer, log } from "@kubescaffold/runtime";
import { afterEach, describe, expect, it } from "vitest";

import { startPageServer } from "../../../dashboard/src/server/http/page-server.ts";
import { writePage } from "../../../dashboard/test/server/support/served-page.ts";
import { admissionWebhook } from "../../../runtime/src/webhook/admission/admission-webhook.ts";
import { startChaos } from "../../src/chaos/chaos.ts";

interface Started {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

// Each answers before it has read the body, or in the middle of it.
const SERVERS: Readonly<Record<string, () => Promise<Started>>> = {
  "of webhooks": () =>
    httpServer(admissionWebhook({ handler: async () => ({ allowed: true, patches: [], warnings: [] }), log })),
  "of metrics and health": () => httpServer(async () => new Response("no\n", { status: 401 })),
  "of the API": apiServer,
  "of the dashboard": async () => {
    const server = await startPageServer({ api: {} as never, pageDirectory: await writePage(), port: 0 });
    return { port: server.port, stop: server.close };
  },
  "of faults": async () => {
    const target = await apiServer();
    const chaos = await startChaos({ target: { server: `http://127.0.0.1:${String(target.port)}` }, faults: {} });
    const stop = async (): Promise<void> => {
      await chaos.stop();
      await target.stop();
    };
    return { port: Number(new URL(chaos.restConfig.server).port), stop };
  },
};

const MEGABYTE = "x".repeat(1024 * 1024);
const BODIES: Readonly<Record<string, readonly string[]>> = {
  "is short": ["Content-Length: 7\r\n\r\n", "{}     "],
  "is longer than all limits": [
    `Content-Length: ${String(17 * MEGABYTE.length)}\r\n\r\n`,
    ...Array<string>(17).fill(MEGABYTE),
  ],
  "is sent in chunks, and longer than all limits": [
    "Transfer-Encoding: chunked\r\n\r\n",
    ...Array<string>(17).fill(`100000\r\n${MEGABYTE}\r\n`),
    "0\r\n\r\n",
  ],
};
const REQUESTS = ["POST / HTTP/1.1", "POST /validate HTTP/1.1", "PUT /api/v1/namespaces/default/pods HTTP/1.1"];

let stop = async (): Promise<void> => undefined;

afterEach(async () => {
  await stop();
});

describe.each(Object.entries(SERVERS))("the server %s", (_name, start) => {
  it.each(Object.entries(BODIES))("answers, goes on or closes, and stops, when a body %s", async (_body, parts) => {
    const server = await start();
    stop = server.stop;
    for (const line of REQUESTS) {
      const { first, next } = await twoRequests(server.port, line, parts);
      expect(first).toMatch(/^HTTP\/1\.1 [24]\d\d /u);
      expect(next).toMatch(/^(?:closed|HTTP\/1\.1 (?:4\d\d|200) )/u);
    }
  });

  it("stops after the answer to a body that never ends", async () => {
    const server = await start();
    stop = server.stop;
    const connection = new Connection(server.port);
    const head = `POST /none HTTP/1.1\r\nHost: 127.0.0.1:${String(server.port)}\r\nContent-Length: 99999999\r\n\r\n`;
    expect(await connection.send(head, "{")).toMatch(/^HTTP\/1\.1 [24]\d\d /u);
    await server.stop();
    stop = async () => undefined;
    connection.close();
  });
});

// Sends another request unless the first response closes the connection.
async function twoRequests(
  port: number,
  line: string,
  [headers = "", ...body]: readonly string[],
): Promise<{ readonly first: string; readonly next: string }> {
  const connection = new Connection(port);
  const host = `Host: 127.0.0.1:${String(port)}\r\n`;
  const first = await connection.send(`${line}\r\n${host}Content-Type: application/json\r\n${headers}`, ...body);
  const closes = /\r\nconnection: close\r\n/iu.test(first);
  const next = closes ? await connection.closed : await connection.send(`GET /none HTTP/1.1\r\n${host}\r\n`);
  connection.close();
  return { first, next };
}

class Connection {
  readonly #socket: Socket;
  readonly closed: Promise<string>;
  #received = "";
  #tell: () => void = () => undefined;

  constructor(port: number) {
    this.#socket = connect({ host: "127.0.0.1", port });
    this.closed = new Promise((resolve) => {
      this.#socket.once("close", () => resolve("closed"));
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("data", (bytes: Buffer) => {
      this.#received += bytes.toString("latin1");
      this.#tell();
    });
    this.#socket.on("close", () => this.#tell());
  }

  /** Sends parts of a request, and returns the response; writing does not wait for reading. */
  async send(...parts: readonly string[]): Promise<string> {
    this.#received = "";
    for (const part of parts) this.#socket.write(part, "latin1");
    await new Promise<void>((resolve) => {
      this.#tell = () => {
        if (isWhole(this.#received) || this.#socket.destroyed) resolve();
      };
      this.#tell();
    });
    return this.#received;
  }

  close(): void {
    this.#socket.destroy();
  }
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  if (end < 0) return false;
  const length = /\r\ncontent-length: (\d+)/iu.exec(text.slice(0, end + 2))?.[1];
  return length === undefined ? text.endsWith("0\r\n\r\n") : text.length >= end + 4 + Number(length);
}

async function httpServer(handler: (request: Request) => Promise<Response>): Promise<Started> {
  const server = new HttpServer({ name: "test", address: { host: "127.0.0.1", port: 0 }, handler, log });
  await server.listen();
  return { port: server.port ?? 0, stop: () => server.close() };
}

async function apiServer(): Promise<Started> {
  const server = createApiServer();
  const { port } = await server.listen();
  return { port, stop: () => server.close() };
}
