import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { encodeFrame, type SpdyStream } from "@kubescaffold/k8s/spdy";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { kubeconfigOf } from "../../src/control-plane/kubeconfig.ts";
import { listenFor, openSession, type Target, upgraded } from "./spdy-fixtures.ts";
import { runHere, runPod, Sink } from "./stream-fixtures.ts";

const CLIENT = fileURLToPath(new URL("../../../../hack/streams", import.meta.url));
const LIVENESS_MS = 500_000;
const SPDY_VERSIONS = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"] as const;
const hasGo = process.platform !== "win32" && spawnSync("go", ["version"]).status === 0;
if (!hasGo) console.warn("SKIPPED: streams over SPDY were NOT tried with client-go, since there is no Go on the PATH");

let cluster: EmbeddedCluster;
let folder: string;
let target: Target;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "spdy-streams-"));
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.images.define("app:*", {
    run: async ({ ports, stdin, stdout, signal }) => {
      ports.listen(80, (connection) => connection.pipe(connection));
      stdin.on("data", (chunk: Buffer) => stdout.write(`got ${chunk.toString()}`));
      await once(signal, "abort");
    },
    exec: async (container) => {
      if (container.command[0] !== "size") return await runHere(container, folder);
      const { width, height } = await new Promise<{ readonly width: number; readonly height: number }>((resolve) => {
        container.onResize(resolve);
      });
      container.stdout.write(`${String(width)}x${String(height)}`);
      return 0;
    },
  });
  cluster.images.define("once:*", async ({ stdin, stdout, stderr }) => {
    const [input] = (await once(stdin, "data")) as [Buffer];
    stdout.write(`got ${input.toString()}`);
    stderr.write("oops");
  });
  target = await listenFor(cluster);
  // client-go sends tokens over TLS only.
  const secure = await cluster.listen({ tls: true });
  await writeFile(path.join(folder, "kubeconfig"), kubeconfigOf(secure.config), { mode: 0o600 });
  await runPod(cluster, "p");
}, 30_000);

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

describe.skipIf(!hasGo)("client-go over SPDY", { timeout: LIVENESS_MS }, () => {
  let program: string;

  beforeAll(async () => {
    program = path.join(folder, "client");
    await execa("go", ["build", "-mod=readonly", "-buildvcs=false", "-o", program, "./client"], {
      cwd: CLIENT,
      env: { CGO_ENABLED: "0", GOWORK: "off" },
    });
  }, LIVENESS_MS);

  const run = async (args: readonly string[], input: string, pod = "p") => {
    const options = { reject: false, input, maxBuffer: 64 * 1024 * 1024, stripFinalNewline: false } as const;
    const { exitCode, stdout, stderr } = await execa(program, [path.join(folder, "kubeconfig"), pod, ...args], options);
    return { exitCode, stdout, stderr };
  };

  it.each(["default", "v4.channel.k8s.io"])("exec gets output and exit status: %s", async (protocol) => {
    const words = ["sh", "-c", "cat; echo oops >&2; exit 3"];
    expect(await run(["exec", protocol, "", ...words], "hello")).toEqual({
      exitCode: 3,
      stdout: "hello",
      stderr: "oops\ncommand terminated with exit code 3",
    });
    expect(await run(["exec", protocol, "", "cat"], "hello")).toEqual({ exitCode: 0, stdout: "hello", stderr: "" });
  });

  it.each(["v3.channel.k8s.io", "v2.channel.k8s.io"])("exec gets failures as texts: %s", async (protocol) => {
    expect(await run(["exec", protocol, "", "sh", "-c", "cat; exit 3"], "hello")).toMatchObject({
      exitCode: 101,
      stdout: "hello",
      stderr: expect.stringContaining("command terminated with non-zero exit code: exit status 3") as string,
    });
    expect(await run(["exec", protocol, "", "cat"], "hello")).toEqual({ exitCode: 0, stdout: "hello", stderr: "" });
  });

  // Its clients do not end the input, and may end before they read the failure.
  it("exec gets the output in the first version", async () => {
    const words = ["head", "-c", "5"];
    const done = await run(["exec", "channel.k8s.io", "", ...words], "hello");
    expect(done).toEqual({ exitCode: 0, stdout: "hello", stderr: "" });
  });

  it("exec carries megabytes in both directions", async () => {
    const input = "0123456789abcdef".repeat(512 * 1024);
    const { exitCode, stdout } = await run(["exec", "default", "", "cat"], input);
    expect([exitCode, stdout === input]).toEqual([0, true]);
  });

  it("exec gets the size of the terminal", async () => {
    expect(await run(["exec", "default", "tty", "size"], "")).toEqual({ exitCode: 0, stdout: "120x40", stderr: "" });
  });

  it.each(["default", ...SPDY_VERSIONS])("attach exchanges data with the main process: %s", async (protocol) => {
    const name = `attach-${protocol.replaceAll(".", "-")}`;
    await runPod(cluster, name, { image: "once:1" }, { restartPolicy: "Never" });
    expect(await run(["attach", protocol, ""], "hello", name)).toEqual({
      exitCode: 0,
      stdout: "got hello",
      stderr: "oops",
    });
  });

  // Version 5 is for WebSockets; kubelets do not speak it over SPDY.
  it.each(["v5.channel.k8s.io", "v9.channel.k8s.io"])(
    "reports that the protocol is not served: %s",
    async (protocol) => {
      expect(await run(["exec", protocol, "", "cat"], "")).toMatchObject({
        exitCode: 101,
        stderr: expect.stringContaining(
          `unable to negotiate protocol: client supports [${protocol}], server accepts [v4.channel.k8s.io v3.channel.k8s.io v2.channel.k8s.io channel.k8s.io]`,
        ) as string,
      });
    },
  );

  it("port-forward carries several connections, and the error of a port on which nothing listens", async () => {
    const done = await run(["portforward", "80", "80", "81"], "hello");
    expect(done).toMatchObject({ exitCode: 0, stderr: "" });
    expect(done.stdout).toMatch(
      /^portforward\.k8s\.io\nhello\nerror: \nhello\nerror: \n\nerror: error forwarding port 81 to pod p, uid .*no container listens on the port\n$/u,
    );
  });
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
