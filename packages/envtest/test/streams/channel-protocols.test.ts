import { once } from "node:events";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { handledLater } from "@kubescaffold/platform";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocket } from "ws";

import { runPod } from "./stream-fixtures.ts";

const REMOTE = [
  "v5.channel.k8s.io",
  "v4.channel.k8s.io",
  "v4.base64.channel.k8s.io",
  "channel.k8s.io",
  "base64.channel.k8s.io",
  "",
] as const;
const PORTS = ["v4.channel.k8s.io", "v4.base64.channel.k8s.io", ""] as const;

let cluster: EmbeddedCluster;
let url: string;
let headers: Readonly<Record<string, string>>;

beforeEach(async () => {
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", {
    run: async ({ ports, signal, stdin, stdout }) => {
      ports.listen(80, (connection) => {
        connection.on("data", (data: Buffer) => connection.end(`80: ${data.toString()}`));
      });
      ports.listen(81, (connection) => {
        connection.on("data", (data: Buffer) => connection.end(`81: ${data.toString()}`));
      });
      stdin.on("data", (data: Buffer) => stdout.write(`main: ${data.toString()}`));
      await once(signal, "abort");
    },
    exec: async ({ stdin, stdout, stderr, command }) => {
      const [data] = (await once(stdin, "data")) as [Buffer];
      stdout.write(`out: ${data.toString()}`);
      stderr.write("err");
      return Number(command[0]);
    },
  });
  await runPod(cluster, "p");
  const { config } = await cluster.listen({ tls: false });
  url = `${config.server.replace("http", "ws")}/api/v1/namespaces/default/pods/p`;
  headers = { authorization: `Bearer ${config.credentials?.kind === "token" ? config.credentials.token : ""}` };
});

afterEach(async () => {
  await cluster.close();
});

describe.each(REMOTE)("exec over the subprotocol '%s'", (protocol) => {
  it.each([
    ["0", protocol.startsWith("v") ? /"status":"Success"/u : /^$/u],
    ["3", protocol.startsWith("v") ? /"reason":"NonZeroExitCode"/u : /^command terminated with .* exit status 3$/u],
  ])("carries input, output, and the result of a command that exits with %s", async (code, result) => {
    const query = `stdin=1&stdout=1&stderr=1&command=${code}`;
    const client = new Channels(`${url}/exec?${query}`, protocol);
    await client.opened;
    client.send(0, "in");
    await client.closed;
    expect(client.received.get(1)).toBe("out: in");
    expect(client.received.get(2)).toBe("err");
    expect(client.received.get(3) ?? "").toMatch(result);
    expect(client.protocol).toBe(protocol);
  });
});

describe.each(REMOTE)("attach over the subprotocol '%s'", (protocol) => {
  it("carries the input and the output of the main process", async () => {
    const client = new Channels(`${url}/attach?stdin=1&stdout=1`, protocol);
    await client.opened;
    client.send(0, "in");
    await client.until(1, "main: in");
    expect(client.received.get(1)).toBe("main: in");
    client.close();
  });
});

describe.each(PORTS)("port forwarding over the subprotocol '%s'", (protocol) => {
  it("has a pair of channels for each port, and ends with its connections", async () => {
    const client = new Channels(`${url}/portforward?ports=80,81&ports=82`, protocol);
    await client.opened;
    client.send(0, "a");
    client.send(2, "b");
    await client.closed;
    const { 5: failure, ...others } = Object.fromEntries(client.received);
    expect(others).toEqual({
      0: `${portBytes(80)}80: a`,
      1: portBytes(80),
      2: `${portBytes(81)}81: b`,
      3: portBytes(81),
      4: portBytes(82),
    });
    expect(failure?.slice(2)).toMatch(/^error forwarding port 82 to pod p, uid .*: no container listens on the port$/u);
  });

  it.each([
    ["", 'query parameter "port" is required'],
    ["ports=0", 'port "0" must be > 0'],
    ["ports=70000", 'unable to parse "70000" as a port: strconv.ParseUint: parsing "70000": value out of range'],
    [`ports=${Array(200).fill("80").join(",")}`, "200 ports are too many, at most 127"],
  ])("refuses the ports: %#", async (query, message) => {
    const client = new Channels(`${url}/portforward?${query}`, protocol);
    expect(await client.refused).toMatchObject({ code: 400, message });
  });
});

describe("a subprotocol that is not served", () => {
  it.each(["exec?command=0&stdout=1", "portforward?ports=80"])("is refused by %s", async (path) => {
    const client = new Channels(`${url}/${path}`, "v9.channel.k8s.io");
    expect(await client.refused).toMatchObject({ code: 400 });
  });
});

function portBytes(port: number): string {
  return Buffer.of(port, 0).toString("latin1");
}

class Channels {
  readonly received: Map<number, string> = new Map();
  readonly opened: Promise<unknown>;
  readonly closed: Promise<unknown>;
  readonly refused: Promise<unknown>;
  readonly #socket: WebSocket;
  readonly #isBase64: boolean;

  constructor(address: string, protocol: string) {
    this.#isBase64 = protocol.includes("base64");
    this.#socket = new WebSocket(address, protocol === "" ? [] : [protocol], { headers });
    this.opened = handledLater(once(this.#socket, "open"));
    this.closed = new Promise((resolve) => {
      this.#socket.once("close", resolve);
    });
    this.refused = new Promise((resolve) => {
      this.#socket.once("unexpected-response", (_request, response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.once("end", () => {
          resolve(JSON.parse(Buffer.concat(chunks).toString()));
          this.#socket.terminate();
        });
      });
    });
    this.#socket.on("error", () => undefined);
    this.#socket.on("message", (data: Buffer, isBinary: boolean) => this.#receive(data, isBinary));
  }

  get protocol(): string {
    return this.#socket.protocol;
  }

  send(channel: number, text: string): void {
    const encoded = Buffer.from(text).toString("base64");
    this.#socket.send(this.#isBase64 ? `${String(channel)}${encoded}` : Buffer.from([channel, ...Buffer.from(text)]));
  }

  async until(channel: number, text: string): Promise<void> {
    while (this.received.get(channel) !== text) await once(this.#socket, "message");
  }

  close(): void {
    this.#socket.close();
  }

  #receive(data: Buffer, isBinary: boolean): void {
    if (isBinary === this.#isBase64) throw new TypeError("the message has the form of another codec");
    const channel = this.#isBase64 ? Number(data.toString()[0]) : (data[0] ?? 0);
    const rest = data.subarray(1);
    const text = this.#isBase64 ? Buffer.from(rest.toString(), "base64").toString("latin1") : rest.toString("latin1");
    this.received.set(channel, (this.received.get(channel) ?? "") + text);
  }
}
