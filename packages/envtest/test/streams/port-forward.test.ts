import { once } from "node:events";
import { createServer } from "node:http";
import { connect, createServer as createTcpServer, type AddressInfo } from "node:net";
import { buffer, text } from "node:stream/consumers";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import {
  createRestClient,
  type PortForwardError,
  portForward,
  type PortForwarder,
  type RestClient,
} from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { runPod } from "./stream-fixtures.ts";

const POD = { namespace: "default", name: "p" };

let cluster: EmbeddedCluster;
let forwarder: PortForwarder | undefined;

beforeEach(async () => {
  forwarder = undefined;
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", async ({ ports, signal }) => {
    const web = createServer((request, response) => response.end(`hello from ${request.url ?? ""}`));
    ports.listen(80, (connection) => web.emit("connection", connection));
    // Answers when the client has sent everything.
    ports.listen(7, (connection) => {
      const chunks: Buffer[] = [];
      connection.on("data", (chunk: Buffer) => chunks.push(chunk));
      connection.once("end", () => connection.end(Buffer.concat(chunks)));
    });
    // Sends and never ends.
    ports.listen(19, (connection) => {
      connection.on("error", () => undefined);
      const send = (): void => {
        while (!connection.destroyed && connection.write(Buffer.alloc(64 * 1024)));
        connection.once("drain", send);
      };
      send();
    });
    ports.listen(6, (connection) => connection.destroy());
    await once(signal, "abort");
  });
  await runPod(cluster, "p");
});

afterEach(async () => {
  await forwarder?.close();
  await cluster.close();
});

async function clientOf(kind: "in-process" | "http" | "tls"): Promise<RestClient> {
  return createRestClient(
    kind === "in-process" ? cluster.config : (await cluster.listen({ tls: kind === "tls" })).config,
  );
}

function localPort(index: number = 0): number {
  return forwarder?.ports[index]?.local ?? 0;
}

describe.each(["in-process", "http", "tls"] as const)("a port-forward over %s", (kind) => {
  it("serves many connections to several ports", async () => {
    forwarder = await portForward(await clientOf(kind), POD, { ports: [":80", ":7"] });
    expect(forwarder.ports.map(({ remote }) => remote)).toEqual([80, 7]);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) =>
        (await fetch(`http://127.0.0.1:${String(localPort())}/${String(index)}`)).text(),
      ),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, index) => `hello from /${String(index)}`));
  });

  it("transfers megabytes and half-closed connections without loss", async () => {
    forwarder = await portForward(await clientOf(kind), POD, { ports: [":7"] });
    const data = Buffer.alloc(2 * 1024 * 1024 + 7, "0123456789abcdef");
    const socket = connect({ port: localPort(), host: "127.0.0.1", allowHalfOpen: true });
    socket.end(data);
    expect((await buffer(socket)).equals(data)).toBe(true);
  });
});

// The server may report the failure before or after it accepts the stream.
async function failureOf(tested: PortForwarder, port: number): Promise<unknown> {
  try {
    const stream = await tested.connect(port);
    stream.resume();
    await new Promise<void>((resolve) => {
      stream.once("close", () => resolve());
    });
    return stream.errored;
  } catch (error) {
    return error;
  }
}

describe("a port-forward", () => {
  it("connects to ports without listening", async () => {
    forwarder = await portForward(createRestClient(cluster.config), POD);
    const connection = await forwarder.connect(7);
    connection.end("ping");
    expect(await text(connection)).toBe("ping");
    await expect(forwarder.connect(0)).rejects.toMatchObject({ code: "STREAM_INVALID_PORT" });
  });

  it("reports connections to ports on which nothing listens, and goes on", async () => {
    const errors: PortForwardError[] = [];
    forwarder = await portForward(createRestClient(cluster.config), POD, {
      ports: [":81", ":7"],
      onError: (error) => errors.push(error),
    });
    await expect(fetch(`http://127.0.0.1:${String(localPort())}/`)).rejects.toThrow("fetch failed");
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(errors[0]).toMatchObject({ code: "STREAM_PORT_FORWARD", port: 81 });
    expect(errors[0]?.message).toContain("connection refused");
    expect(await failureOf(forwarder, 81)).toMatchObject({ code: "STREAM_PORT_FORWARD" });
    const echo = await forwarder.connect(7);
    echo.end("still");
    expect(await text(echo)).toBe("still");
  });

  it("closes the local connection when the container breaks its end", async () => {
    forwarder = await portForward(createRestClient(cluster.config), POD, { ports: [":6"] });
    const socket = connect({ port: localPort(), host: "127.0.0.1" });
    socket.on("error", () => undefined);
    await once(socket, "close");
    expect(socket.destroyed).toBe(true);
  });

  it("ends the connection in the container when the client breaks its end", async () => {
    forwarder = await portForward(createRestClient(cluster.config), POD, { ports: [":19", ":7"] });
    const socket = connect({ port: localPort(), host: "127.0.0.1" });
    await once(socket, "data");
    socket.destroy();
    const echo = await forwarder.connect(7);
    echo.end("free");
    expect(await text(echo)).toBe("free");
  });

  it("ends with the reason of the signal, and frees its ports", async () => {
    const controller = new AbortController();
    forwarder = await portForward(createRestClient(cluster.config), POD, { ports: [":7"], signal: controller.signal });
    const socket = connect({ port: localPort(), host: "127.0.0.1" });
    await once(socket, "connect");
    const closed = once(socket, "close");
    controller.abort(new TypeError("enough"));
    await expect(forwarder.done).rejects.toThrow("enough");
    await closed;
    const server = createTcpServer().listen(localPort(), "127.0.0.1");
    await once(server, "listening");
    server.close();
  });

  it("fails when the connection to the server is lost", async () => {
    const listener = await cluster.listen();
    forwarder = await portForward(createRestClient(listener.config), POD, { ports: [":7"] });
    await listener.close();
    await expect(forwarder.done).rejects.toMatchObject({ code: "STREAM_SPDY" });
    await expect(forwarder.connect(7)).rejects.toMatchObject({ code: "STREAM_SPDY" });
  });

  it("is refused for a Pod that does not exist, invalid ports, and ports that are in use", async () => {
    const rest = createRestClient(cluster.config);
    await expect(portForward(rest, { ...POD, name: "none" })).rejects.toMatchObject({ status: { code: 404 } });
    for (const port of ["x", "80:", "1:2:3", "70000", ":0", "", "-1"]) {
      await expect(portForward(rest, POD, { ports: [port] })).rejects.toMatchObject({ code: "STREAM_INVALID_PORT" });
    }
    const server = createTcpServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const used = `${String((server.address() as AddressInfo).port)}:7`;
    const addresses = ["127.0.0.1"];
    await expect(portForward(rest, POD, { ports: [used], addresses })).rejects.toThrow("EADDRINUSE");
    await expect(portForward(rest, POD, { ports: [7], addresses: ["example.com"] })).rejects.toMatchObject({
      code: "STREAM_INVALID_PORT",
    });
    server.close();
  });
});
