import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";

import type { EmbeddedCluster } from "@kubescaffold/cluster";
import { encodeFrame, type SpdyStream } from "@kubescaffold/k8s/spdy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { clusterOfStreams, listenFor, openSession, type Target, upgraded } from "./spdy-fixtures.ts";
import { Sink } from "./stream-fixtures.ts";

let cluster: EmbeddedCluster;
let folder: string;
let target: Target;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "spdy-streams-"));
  cluster = await clusterOfStreams(folder);
  target = await listenFor(cluster);
}, 30_000);

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

describe("the upgrade to SPDY", () => {
  const SPDY = { Connection: "Upgrade", Upgrade: "SPDY/3.1" };
  const V4 = { "X-Stream-Protocol-Version": "v4.channel.k8s.io" };

  it.each([
    [{}, 400, /Upgrade request required/u],
    [SPDY, 400, /^unable to upgrade: header X-Stream-Protocol-Version does not exist in request with \d+ headers\n$/u],
    [{ ...SPDY, "X-Stream-Protocol-Version": " , " }, 400, /^unable to upgrade: .* but no valid protocols\n$/u],
    [
      { ...V4, Connection: "Upgrade", Upgrade: "h2c" },
      400,
      /^unable to upgrade: missing upgrade headers in request\n$/u,
    ],
    [{ ...SPDY, "X-Stream-Protocol-Version": "v5.channel.k8s.io" }, 403, /unable to negotiate protocol/u],
  ])("is refused as by a kubelet: %j", async (headers: Record<string, string>, code, text) => {
    const answer = await post("exec?command=cat&stdout=true", headers);
    expect([answer.code, answer.body]).toEqual([code, expect.stringMatching(text)]);
    expect(answer.body).not.toContain(target.authorization);
    expect(answer.accepted).toBe(
      code === 403 ? "v4.channel.k8s.io, v3.channel.k8s.io, v2.channel.k8s.io, channel.k8s.io" : undefined,
    );
  });

  it("needs the verb create", async () => {
    const answer = await post("exec?command=cat&stdout=true", { ...SPDY, ...V4, authorization: "" });
    expect([answer.code, answer.body]).toEqual([
      403,
      expect.stringContaining('cannot create resource \\"pods/exec\\"'),
    ]);
  });

  it("takes the first protocol of the client that is served", async () => {
    const { socket, head } = await upgraded(
      target,
      "exec?command=cat&stdout=true",
      "v9.channel.k8s.io, v2.channel.k8s.io,v4.channel.k8s.io",
    );
    expect(head).toMatch(/^HTTP\/1\.1 101 .*\r\nX-Stream-Protocol-Version: v2\.channel\.k8s\.io\r\n/su);
    socket.destroy();
  });
});

describe("a connection over SPDY", () => {
  it("refuses streams that were not requested, unknown ones, and those that are open already", async () => {
    const { session } = await openSession(target, "exec?command=cat&stdin=true&stdout=true", "v4.channel.k8s.io");
    const open = async (type: string): Promise<SpdyStream> => await session.open(new Map([["streamtype", [type]]]));
    await open("error");
    for (const type of ["error", "stderr", "resize", "constructor", ""]) {
      await expect(open(type)).rejects.toThrow("status 3");
    }
    const output = new Sink();
    (await open("stdout")).pipe(output);
    (await open("stdin")).end("hello");
    await output.until("hello");
    session.close();
  });

  it.each([
    ["no frame of SPDY", Buffer.from("GET / HTTP/1.1\r\n\r\n".repeat(10))],
    ["another version", Buffer.from("8002000100000000", "hex")],
    ["a stream with an even ID", Buffer.from("800300010000000a00000002000000000000", "hex")],
    ["headers that are not compressed", Buffer.from("800300010000000e0000000100000000000061626364", "hex")],
    ["a control frame of 16 MiB", Buffer.from("8003000100ffffff", "hex")],
    ["an end", encodeFrame({ kind: "goaway", lastGoodStreamId: 0, status: 0 })],
  ])("is closed after %s, and the server goes on", async (_, bytes) => {
    const { socket } = await upgraded(target, "exec?command=cat&stdout=true", "v4.channel.k8s.io");
    const closed = once(socket, "close");
    socket.resume();
    socket.end(bytes);
    await closed;
    expect((await post("exec?command=cat&stdout=true", {})).code).toBe(400);
  });

  it.each(["v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"])(
    "reports a failure as text before version 4: %s",
    async (protocol) => {
      const query = ["sh", "-c", "exit 3"].map((word) => `command=${encodeURIComponent(word)}`).join("&");
      const { session } = await openSession(target, `exec?${query}&stdout=true`, protocol);
      const failures = new Sink();
      (await session.open(new Map([["streamtype", ["error"]]]))).pipe(failures);
      (await session.open(new Map([["streamtype", ["stdout"]]]))).resume();
      await failures.until("exit status 3");
      expect(failures.text).toBe("command terminated with non-zero exit code: exit status 3");
      session.close();
    },
  );

  it("pairs the streams of a client without request IDs, and resets those of a port on which nothing listens", async () => {
    const received: string[] = [];
    const { session } = await openSession(target, "portforward", "portforward.k8s.io");
    for (const port of ["80", "81", "82"]) {
      const headers = (type: string) =>
        new Map([
          ["streamtype", [type]],
          ["port", [port]],
        ]);
      const failures = new Sink();
      (await session.open(headers("error"))).pipe(failures);
      const data = await session.open(headers("data"));
      const closed = new Promise<void>((resolve) => data.once("close", () => resolve()));
      const output = new Sink();
      data.pipe(output);
      data.end("hello");
      if (port === "80") await output.until("hello");
      else await failures.until("no container listens on the port");
      await closed;
      received.push(output.text, failures.text.replace(/^.*: /u, ""));
    }
    const refused = "no container listens on the port";
    expect(received).toEqual(["hello", "", "", refused, "", refused]);
    session.close();
  });
});

async function post(
  operation: string,
  headers: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | undefined; readonly body: string; readonly accepted: unknown }> {
  const url = new URL(`/api/v1/namespaces/default/pods/p/${operation}`, target.server);
  const outgoing = request(url, {
    method: "POST",
    headers: { authorization: target.authorization, ...headers },
    agent: false,
  });
  outgoing.end();
  const [answer] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  let body = "";
  for await (const chunk of answer) body += String(chunk);
  return { code: answer.statusCode, body, accepted: answer.headers["x-accepted-stream-protocol-versions"] };
}
