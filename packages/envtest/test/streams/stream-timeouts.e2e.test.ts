import { once } from "node:events";
import type { Duplex } from "node:stream";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { SpdySession, type SpdyStream } from "@kubescaffold/k8s/spdy";
import { PORT_FORWARD_PROTOCOL } from "@kubescaffold/k8s/streams";
import { FakeClock } from "@kubescaffold/platform/clock";
import { createRestClient } from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

import { listenFor, openSession, type Target } from "./spdy-fixtures.ts";
import { runPod, Sink } from "./stream-fixtures.ts";

const HOUR_MS = 60 * 60 * 1000;

let clock: FakeClock;
let cluster: EmbeddedCluster;
let target: Target;
let connections: Duplex[];

beforeEach(async () => {
  clock = new FakeClock();
  connections = [];
  cluster = createEmbeddedCluster({ workloadSimulation: true, clock });
  cluster.images.define("app:*", {
    run: async ({ ports, signal }) => {
      ports.listen(80, (connection) => {
        connections.push(connection);
        connection.pipe(connection);
      });
      ports.listen(81, (connection) => connections.push(connection));
      await once(signal, "abort");
    },
    exec: async ({ stdin, stdout, signal }) => {
      stdin.pipe(stdout, { end: false });
      await once(signal, "abort");
      return 0;
    },
  });
  target = await listenFor(cluster);
  await runPod(cluster, "p");
});

afterEach(async () => {
  await cluster.close();
});

/** A connection that carries bytes to an echo. */
interface Connection {
  readonly closed: Promise<unknown>;
  /** Sends a text and resolves when it has come back. */
  exchange(text: string): Promise<void>;
}

function portHeaders(type: string, requestId = "0"): ReadonlyMap<string, readonly string[]> {
  return new Map([
    ["streamtype", [type]],
    ["port", ["80"]],
    ["requestid", [requestId]],
  ]);
}

async function echoOver(input: SpdyStream, output: SpdyStream, session: SpdySession): Promise<Connection> {
  const sink = new Sink();
  output.pipe(sink);
  return {
    closed: once(session.closed, "abort"),
    exchange: async (text) => {
      input.write(text);
      await sink.until(text);
    },
  };
}

async function execOverSpdy(): Promise<Connection> {
  const { session } = await openSession(target, "exec?command=cat&stdin=1&stdout=1", "v4.channel.k8s.io");
  const open = async (type: string) => await session.open(new Map([["streamtype", [type]]]));
  await open("error");
  const [output, input] = [await open("stdout"), await open("stdin")];
  return await echoOver(input, output, session);
}

async function forwardIn(session: SpdySession): Promise<Connection> {
  await session.open(portHeaders("error"));
  const data = await session.open(portHeaders("data"));
  return await echoOver(data, data, session);
}

async function forwardOverSpdy(): Promise<Connection> {
  return await forwardIn((await openSession(target, "portforward", "portforward.k8s.io")).session);
}

async function socketFor(operation: string, protocol: string): Promise<WebSocket> {
  const url = `${target.server.href.replace("http", "ws")}api/v1/namespaces/default/pods/p/${operation}`;
  const socket = new WebSocket(url, [protocol], {
    headers: { authorization: target.authorization },
  });
  await new Promise<void>((resolve, reject) => {
    socket.once("open", resolve).once("error", reject);
  });
  return socket;
}

async function openTunnel(): Promise<SpdySession> {
  const socket = await createRestClient(target.config).webSocket({
    path: "/api/v1/namespaces/default/pods/p/portforward",
    protocols: [PORT_FORWARD_PROTOCOL],
  });
  const transport = {
    chunks: () => socket.messages(),
    write: async (bytes: Uint8Array) => await socket.send(bytes),
    close: () => socket.close(),
  };
  return new SpdySession(transport, { role: "client" });
}

function channelZero(operation: string, output: number): (protocol: string) => Promise<Connection> {
  return async (protocol) => {
    const socket = await socketFor(operation, protocol);
    const sink = new Sink();
    socket.on("message", (data: Buffer) => {
      if (data[0] === output) sink.write(data.subarray(1));
    });
    return {
      closed: once(socket, "close"),
      exchange: async (text) => {
        socket.send(Buffer.concat([Buffer.of(0), Buffer.from(text)]));
        await sink.until(text);
      },
    };
  };
}

const CONNECTIONS: readonly (() => Promise<Connection>)[] = [
  execOverSpdy,
  forwardOverSpdy,
  async () => await channelZero("exec?command=cat&stdin=1&stdout=1", 1)("v5.channel.k8s.io"),
  async () => await channelZero("portforward?ports=80", 0)("v4.channel.k8s.io"),
  async () => await forwardIn(await openTunnel()),
];

describe("connections of exec and port-forward, over SPDY and WebSockets", () => {
  it("are closed after 4 hours without a byte, as by kubelets", async () => {
    const open: Connection[] = [];
    for (const connect of CONNECTIONS) open.push(await connect());
    let closed = 0;
    for (const connection of open) void connection.closed.then(() => (closed += 1));
    for (const text of ["one", "two"]) {
      await clock.advance(2.5 * HOUR_MS);
      for (const connection of open) await connection.exchange(text);
    }
    expect(closed).toBe(0);
    await clock.advance(4 * HOUR_MS);
    await Promise.all(open.map(async (connection) => await connection.closed));
  });
});

describe("the streams of a client", () => {
  it("of exec must all be opened in 30 seconds", async () => {
    const { session } = await openSession(target, "exec?command=cat&stdout=true", "v4.channel.k8s.io");
    await session.open(new Map([["streamtype", ["error"]]]));
    await clock.advance(29_000);
    expect(session.closed.aborted).toBe(false);
    const closed = once(session.closed, "abort");
    await clock.advance(1000);
    await closed;
  });

  it("of a forwarded connection must both be opened in 30 seconds, and the others go on", async () => {
    const { session } = await openSession(target, "portforward", "portforward.k8s.io");
    const error = await session.open(portHeaders("error", "lonely-error"));
    const failures = new Sink();
    error.pipe(failures);
    const data = await session.open(portHeaders("data", "lonely-data"));
    const reset = new Promise<void>((resolve) => data.once("close", () => resolve()));
    const complete = await forwardIn(session);
    await clock.advance(29_000);
    expect([failures.text, data.destroyed]).toEqual(["", false]);
    await clock.advance(1000);
    await failures.until("(request=lonely-error) timed out waiting for streams");
    await reset;
    expect(data.errored?.message).toContain("reset the stream");
    await complete.exchange("still open");
    session.close();
  });

  it("can use the ID of a request again when both were opened, and after the timeout", async () => {
    const { session } = await openSession(target, "portforward", "portforward.k8s.io");
    const [first, second] = [await forwardIn(session), await forwardIn(session)];
    await first.exchange("first");
    await second.exchange("second");
    await session.open(portHeaders("error"));
    await expect(session.open(portHeaders("error"))).rejects.toThrow("status 3");
    await clock.advance(30_000);
    await (await forwardIn(session)).exchange("third");
    session.close();
  });

  it("end with the WebSocket of a tunnel while nobody reads them", async () => {
    const session = await openTunnel();
    const port = (type: string) => new Map([...portHeaders(type), ["port", ["81"]]]);
    await session.open(port("error"));
    const data = await session.open(port("data"));
    data.write(Buffer.alloc(256 * 1024));
    await expect.poll(() => connections[0]?.readableLength ?? 0).toBeGreaterThan(0);
    const ended = once(connections[0] as Duplex, "close");
    session.close();
    await ended;
  });
});
