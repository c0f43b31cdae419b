import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";

import { FakeClock } from "@kubescaffold/platform/clock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";

import { createRestClient, type RestClient } from "../../src/rest/rest-client.ts";
import { exec } from "../../src/streams/remote-command.ts";

const POD = { namespace: "default", name: "p" };
const SUCCESS = { status: "Success", metadata: {} };

let server: WebSocketServer;
let rest: RestClient;
let protocol: string;

beforeEach(async () => {
  protocol = "v5.channel.k8s.io";
  server = new WebSocketServer({ port: 0, host: "127.0.0.1", handleProtocols: () => protocol });
  await once(server, "listening");
  rest = createRestClient({ server: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/prefix` });
});

afterEach(async () => {
  await rest.close();
  for (const client of server.clients) client.terminate();
  server.close();
});

// Serves the next connection.
function serve(handler: (socket: WebSocket, url: string) => void): void {
  server.once("connection", (socket, request) => handler(socket, request.url ?? ""));
}

function message(channel: number, text: string): Buffer {
  return Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
}

function noInput(): Readable {
  return Readable.from([]);
}

describe("exec", () => {
  it("requests the streams that are given, below the path of the server", async () => {
    let requested = "";
    serve((socket, url) => {
      requested = url;
      socket.send(message(3, JSON.stringify(SUCCESS)));
      socket.close(1000);
    });
    await exec(rest, POD, { command: ["echo", "a b"], container: "c" }).stream({
      stdin: noInput(),
      stdout: process.stdout,
    });
    expect(requested).toBe(
      "/prefix/api/v1/namespaces/default/pods/p/exec?command=echo&command=a+b&container=c&stdin=true&stdout=true",
    );
  });

  it.each([
    [
      "v5.channel.k8s.io",
      [
        [0, 97],
        [255, 0],
      ],
    ],
    ["v4.channel.k8s.io", [[0, 97]]],
  ])("closes standard input in %s if the protocol can", async (chosen, expected) => {
    protocol = chosen;
    const received: number[][] = [];
    serve((socket) => {
      socket.on("message", (data: Buffer) => {
        received.push([...data]);
        if (received.length === expected.length) socket.close(1000);
      });
    });
    const stdin = (async function* (): AsyncGenerator<string> {
      await Promise.resolve();
      yield "a";
    })();
    await exec(rest, POD, { command: ["cat"] }).stream({ stdin });
    expect(received).toEqual(expected);
  });

  it.each([
    ["an unknown channel", [message(7, "x")], { code: "STREAM_PROTOCOL" }],
    ["a result that is not JSON", [message(3, "oops")], { code: "STREAM_PROTOCOL" }],
    ["a result that is not a Status", [message(3, "null")], { code: "STREAM_PROTOCOL" }],
    [
      "a failure without an exit code",
      [message(3, JSON.stringify({ status: "Failure", reason: "InternalError", message: "no node" }))],
      { code: "CLIENT_STATUS", message: "no node" },
    ],
    [
      "an exit code in two messages",
      [
        message(3, '{"status":"Failure","reason":"NonZeroExitCode",'),
        message(3, '"details":{"causes":[{"reason":"ExitCode","message":"42"}]}}'),
      ],
      { code: "STREAM_COMMAND_EXIT", exitCode: 42 },
    ],
    [
      "an exit code that is not a number",
      [
        message(
          3,
          '{"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"many"}]}}',
        ),
      ],
      { code: "CLIENT_STATUS" },
    ],
  ])("fails for %s", async (_title, messages, expected) => {
    serve((socket) => {
      for (const each of messages) socket.send(each);
      socket.close(1000);
    });
    await expect(exec(rest, POD, { command: ["x"] }).stream({})).rejects.toMatchObject(expected);
  });

  it("fails when the connection breaks before the result", async () => {
    serve((socket) => socket.terminate());
    await expect(exec(rest, POD, { command: ["x"] }).stream({})).rejects.toMatchObject({ failure: "closed" });
    serve((socket) => socket.close(1011));
    await expect(exec(rest, POD, { command: ["x"] }).stream({})).rejects.toMatchObject({ failure: "closed" });
  });

  it("fails for a message that is longer than the limit", async () => {
    serve((socket) => socket.send(Buffer.alloc(17 * 1024 * 1024)));
    await expect(exec(rest, POD, { command: ["x"] }).stream({})).rejects.toMatchObject({ code: "CLIENT_UNREACHABLE" });
  });

  it("fails when nothing arrives for a minute, not even the answers to pings", async () => {
    const clock = new FakeClock();
    const { config } = rest;
    const silent = new WebSocketServer({ port: 0, host: "127.0.0.1", autoPong: false });
    await once(silent, "listening");
    const port = String((silent.address() as AddressInfo).port);
    const client = createRestClient({ ...config, server: `http://127.0.0.1:${port}` }, { clock });
    const connected = once(silent, "connection");
    let error: unknown;
    const ended = exec(client, POD, { command: ["x"] })
      .stream({})
      .catch((reason: unknown) => {
        error = reason;
      });
    await connected;
    await vi.waitFor(async () => {
      await clock.advance(5000);
      expect(error).toMatchObject({ code: "CLIENT_SERVER_SILENT" });
    });
    await ended;
    for (const each of silent.clients) each.terminate();
    silent.close();
  });
});
