import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

import { createCertificateAuthority } from "@kubescaffold/cluster";
import { describe, expect, it } from "vitest";

import { closeGracefully, listen } from "../../src/http-server/listening.ts";

const NO_LIMIT_MS = 1_000_000;
const ADDRESS = { host: "127.0.0.1", port: 0 };

interface Case {
  readonly server: Server;
  /** Opens a connection, as far as a client does before its first request. */
  readonly dial: (port: number) => Promise<Socket>;
}

async function plain(): Promise<Case> {
  const dial = async (port: number): Promise<Socket> => {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    return socket;
  };
  return Promise.resolve({ server: createServer((_request, response) => response.end("hello")), dial });
}

async function secure(): Promise<Case> {
  const authority = await createCertificateAuthority("listening");
  const pair = await authority.issueServer({ dnsNames: [], ipAddresses: ["127.0.0.1"] });
  const dial = async (port: number): Promise<Socket> => {
    const socket = connectTls({ port, host: "127.0.0.1", ca: authority.cert });
    await once(socket, "secureConnect");
    return socket;
  };
  return { server: createTlsServer(pair, (_request, response) => response.end("hello")), dial };
}

/** Resolves with the responses of the next requests, in the order of their paths; the test ends them. */
async function responses(server: Server, count: number): Promise<readonly ServerResponse[]> {
  const received: ServerResponse[] = [];
  server.removeAllListeners("request");
  return await new Promise((resolve) => {
    server.on("request", (_request, response: ServerResponse) => {
      if (received.push(response) < count) return;
      resolve(received.toSorted((one, other) => String(one.req.url).localeCompare(String(other.req.url))));
    });
  });
}

describe.each([
  ["HTTP", plain],
  ["HTTPS", secure],
])("closeGracefully of a server of %s", (name, make) => {
  const accepted = (server: Server): Promise<unknown> =>
    once(server, name === "HTTPS" ? "secureConnection" : "connection");

  it("does not wait for spare connections of a client", async () => {
    const { server, dial } = await make();
    const port = await listen(server, ADDRESS);
    const [socket] = await Promise.all([dial(port), accepted(server)]);
    const closed = once(socket, "close");
    socket.resume();
    await closeGracefully(server, NO_LIMIT_MS, 1);
    await closed;
    expect(server.listening).toBe(false);
  });

  it("answers the first request of such a connection as long as it is within its time", async () => {
    const { server, dial } = await make();
    const port = await listen(server, ADDRESS);
    const [socket] = await Promise.all([dial(port), accepted(server)]);
    const closing = closeGracefully(server, NO_LIMIT_MS, NO_LIMIT_MS);
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    await Promise.all([closing, once(socket, "close")]);
    expect(answer).toContain("hello");
  });

  it("guarantee 11: closes the connections of open requests after their responses", async () => {
    const { server, dial } = await make();
    server.keepAliveTimeout = NO_LIMIT_MS;
    const received = responses(server, 3);
    const port = await listen(server, ADDRESS);
    const sockets = await Promise.all([dial(port), dial(port), dial(port)]);
    const answers = sockets.map(async (socket, index) => {
      let answer = "";
      socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
      socket.write(`GET /${String(index)} HTTP/1.1\r\nhost: x\r\n\r\n`);
      await once(socket, "close");
      return answer;
    });
    const [first, second, third] = await received;
    first?.write("one ");
    const closing = closeGracefully(server, NO_LIMIT_MS, NO_LIMIT_MS);
    first?.end("two");
    second?.end("three");
    third?.writeHead(200, { "x-late": "yes" }).end("four");
    await closing;
    const [begun, waiting, headed] = await Promise.all(answers);
    expect(begun).toContain("two");
    expect(waiting).toMatch(/connection: close[^]*three/i);
    expect(headed).toMatch(/connection: close[^]*four/i);
  });

  it("cuts what is still open at the limit", async () => {
    const { server, dial } = await make();
    const port = await listen(server, ADDRESS);
    const [socket] = await Promise.all([dial(port), accepted(server)]);
    const closed = once(socket, "close");
    socket.resume();
    await closeGracefully(server, 1, NO_LIMIT_MS);
    await closed;
    expect(server.listening).toBe(false);
  });
});

describe("closeGracefully of a server of HTTPS", () => {
  it("does not wait for connections whose TLS handshake has not begun", async () => {
    const { server } = await secure();
    const port = await listen(server, ADDRESS);
    const socket = connect(port, "127.0.0.1");
    await Promise.all([once(socket, "connect"), once(server, "connection")]);
    const closed = once(socket, "close");
    socket.on("error", () => undefined).resume();
    await closeGracefully(server, NO_LIMIT_MS, 1);
    await closed;
    expect(server.listening).toBe(false);
  });

  it("does not wait for spare connections whose TLS handshake ends while the server closes", async () => {
    const { server } = await secure();
    const port = await listen(server, ADDRESS);
    const plain = connect(port, "127.0.0.1");
    await Promise.all([once(plain, "connect"), once(server, "connection")]);
    const closing = closeGracefully(server, NO_LIMIT_MS, 500);
    const socket = connectTls({ socket: plain, rejectUnauthorized: false });
    const closed = once(socket, "close");
    socket.on("error", () => undefined).resume();
    await once(socket, "secureConnect");
    await Promise.all([closing, closed]);
    expect(server.listening).toBe(false);
  });

  // macOS has only 127.0.0.1.
  it.runIf(process.platform === "linux")("tells apart clients of two hosts that use the same port", async () => {
    const { server } = await secure();
    const received = new Promise<ServerResponse>((resolve) => {
      server.removeAllListeners("request").on("request", (_request, response: ServerResponse) => resolve(response));
    });
    const port = await listen(server, { host: "0.0.0.0", port: 0 });
    const first = connect({ port, host: "127.0.0.1", localAddress: "127.0.0.1" });
    await Promise.all([once(first, "connect"), once(server, "connection")]);
    const second = connect({
      port,
      host: "127.0.0.1",
      localAddress: "127.0.0.2",
      localPort: first.localPort as number,
    });
    const spare = connectTls({ socket: second, rejectUnauthorized: false }).on("error", () => undefined);
    await once(server, "secureConnection");
    const socket = connectTls({ socket: first, rejectUnauthorized: false });
    let answer = "";
    socket.setEncoding("utf8").on("data", (text: string) => (answer += text));
    socket.write("GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
    const response = await received;
    const closing = closeGracefully(server, NO_LIMIT_MS, 1);
    await once(spare.resume(), "close");
    response.end("hello");
    await Promise.all([closing, once(socket, "close")]);
    expect(answer).toContain("hello");
  });
});
