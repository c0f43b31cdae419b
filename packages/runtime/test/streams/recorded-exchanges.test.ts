import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Duplex, Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { encodeFrame, FrameReader, HeaderCodec } from "@kubescaffold/k8s/spdy";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { portForward } from "../../src/streams/port-forward.ts";
import { exec } from "../../src/streams/remote-command.ts";

const FILE = new URL("recorded/kubernetes-1.35.4.json", import.meta.url);
const POD = { namespace: "default", name: "p" };
// The address of hack/streams, to record the exchanges again.
const ORIGINAL = process.env["KUBESCAFFOLD_STREAMS_SERVER"];

interface Message {
  readonly from: "client" | "server";
  readonly hex: string;
}

const recorded = JSON.parse(readFileSync(FILE, "utf8")) as Record<string, Message[]>;

let server: Server;
let rest: RestClient;
let exchange: string;
let sent: Buffer[];

beforeEach(async () => {
  sent = [];
  server = createServer();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const serve = ORIGINAL === undefined ? replay : relay;
    void serve({ request, socket, head });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  rest = createRestClient({ server: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}` });
});

afterEach(async () => {
  await rest.close();
  server.close();
});

afterAll(() => {
  if (ORIGINAL !== undefined) writeFileSync(FILE, `${JSON.stringify(recorded, undefined, 2)}\n`);
});

interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

// The library does not accept the name of the protocol of port-forward.
async function accept({ request, socket, head }: Handshake): Promise<WebSocket> {
  const [protocol = ""] = (request.headers["sec-websocket-protocol"] ?? "").split(",");
  delete request.headers["sec-websocket-protocol"];
  const acceptor = new WebSocketServer({ noServer: true });
  acceptor.once("headers", (headers: string[]) => headers.push(`Sec-WebSocket-Protocol: ${protocol}`));
  return await new Promise((resolve) => {
    acceptor.handleUpgrade(request, socket, head, resolve);
  });
}

/** Sends each recorded message of the server once the client has sent as many messages as before it. */
async function replay(handshake: Handshake): Promise<void> {
  const socket = await accept(handshake);
  const pending = [...(recorded[exchange] ?? [])];
  const proceed = (): void => {
    for (let next = pending[0]; next?.from === "server"; next = pending[0]) {
      pending.shift();
      socket.send(Buffer.from(next.hex, "hex"));
    }
    if (pending.length === 0) socket.close(1000);
  };
  socket.on("message", (data: Buffer) => {
    sent.push(data);
    if (pending[0]?.from === "client") pending.shift();
    proceed();
  });
  proceed();
}

/** Connects the client to the real handlers, and records what both send. */
async function relay(handshake: Handshake): Promise<void> {
  const messages: Message[] = [];
  recorded[exchange] = messages;
  const { headers, url } = handshake.request;
  const original = new WebSocket(`${String(ORIGINAL).replace("http:", "ws:")}${url ?? ""}`, {
    headers: { "sec-websocket-protocol": headers["sec-websocket-protocol"] ?? "" },
    perMessageDeflate: false,
  });
  original.once("upgrade", (response) => {
    delete response.headers["sec-websocket-protocol"];
  });
  const early: Buffer[] = [];
  original.on("message", (data: Buffer) => early.push(data));
  await once(original, "open");
  const client = await accept(handshake);
  const pass = (data: Buffer): void => {
    messages.push({ from: "server", hex: data.toString("hex") });
    client.send(data);
  };
  original.removeAllListeners("message");
  for (const data of early) pass(data);
  original.on("message", pass);
  original.on("close", () => client.close(1000));
  client.on("message", (data: Buffer) => {
    messages.push({ from: "client", hex: data.toString("hex") });
    sent.push(data);
    original.send(data);
  });
  client.on("close", () => original.close(1000));
}

function sinkOf(chunks: Buffer[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
}

describe("an exchange with the handlers of kube-apiserver and a kubelet", () => {
  it("of exec transfers all streams and the exit code", async () => {
    exchange = "exec";
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
    const executor = exec(rest, POD, { command: ["both"] });
    const streams = { stdin: Readable.from(["in"]), stdout: sinkOf(stdout), stderr: sinkOf(stderr) };
    await expect(executor.stream(streams)).rejects.toMatchObject({ code: "STREAM_COMMAND_EXIT", exitCode: 3 });
    expect([Buffer.concat(stdout).toString(), Buffer.concat(stderr).toString()]).toEqual(["in", "oops\n"]);
    expect(sent.map((data) => data.toString("hex"))).toEqual(["00696e", "ff00"]);
  });

  it("of port-forward returns what the port sends", async () => {
    exchange = "portForward";
    const forwarder = await portForward(rest, POD);
    const connection = await forwarder.connect(80);
    connection.end("ping");
    expect(await text(connection)).toBe("ping");
    const frames = new FrameReader().push(Buffer.concat(sent));
    const codec = new HeaderCodec();
    const headers = [];
    for (const frame of frames)
      if (frame.kind === "syn-stream") headers.push(Object.fromEntries(await codec.decode(frame.headerBlock)));
    codec.close();
    expect(headers).toEqual([
      { streamtype: ["error"], port: ["80"], requestid: ["0"] },
      { streamtype: ["data"], port: ["80"], requestid: ["0"] },
    ]);
    const data = frames.filter(({ kind }) => kind === "data").map((frame) => encodeFrame(frame).toString("hex"));
    expect(data.slice(0, 3)).toEqual(["0000000101000000", "000000030000000470696e67", "0000000301000000"]);
    await delay(ORIGINAL === undefined ? 0 : 100);
    await forwarder.close();
  });

  it("of port-forward reports the error of a port on which nothing listens", async () => {
    exchange = "refused";
    const forwarder = await portForward(rest, POD);
    const connection = await forwarder.connect(81);
    connection.resume();
    await new Promise<void>((resolve) => {
      connection.once("close", () => resolve());
    });
    const message = "cannot forward to port 81: error forwarding port 81 to pod p, uid uid: connection refused";
    expect((connection as Duplex & { readonly errored: Error | null }).errored).toMatchObject({ message });
    await delay(ORIGINAL === undefined ? 0 : 100);
    await forwarder.close();
  });
});
