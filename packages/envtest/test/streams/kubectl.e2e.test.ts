import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { resolveAsset } from "../../src/control-plane/assets.ts";
import { kubeconfigOf } from "../../src/control-plane/kubeconfig.ts";
import { runHere, runPod } from "./stream-fixtures.ts";

// CI builds kubectl before the tests.
const kubectlPath = await resolveAsset("kubectl").catch(() => undefined);

// kubectl uses SPDY for API servers before Kubernetes 1.30, and through proxies that do not pass WebSockets.
const TRANSPORTS = [
  ["WebSockets", {}],
  ["SPDY", { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false", KUBECTL_PORT_FORWARD_WEBSOCKETS: "false" }],
] as const;

let cluster: EmbeddedCluster;
let folder: string;

async function kubectl(
  args: readonly string[],
  input = "",
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly exitCode: number | undefined; readonly stdout: string; readonly stderr: string }> {
  const { exitCode, stdout, stderr } = await execa(
    kubectlPath ?? "",
    ["--kubeconfig", path.join(folder, "kubeconfig"), ...args],
    { reject: false, input, env },
  );
  return { exitCode, stdout, stderr };
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubectl-streams-"));
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.images.define("app:*", {
    run: async ({ log, ports, stdin, stdout, signal }) => {
      log("started");
      const web = createServer((request, response) => response.end(`hello from ${request.url ?? ""}`));
      ports.listen(80, (connection) => web.emit("connection", connection));
      stdin.on("data", (chunk: Buffer) => stdout.write(`got ${chunk.toString()}`));
      await once(signal, "abort");
    },
    exec: async (process) => runHere(process, folder),
  });
  cluster.images.define("bare:*", {});
  cluster.images.define("ends:*", async ({ log }) => {
    log("one");
    await setTimeout(50);
    log("two");
  });
  const { config } = await cluster.listen({ tls: true });
  await writeFile(path.join(folder, "kubeconfig"), kubeconfigOf(config));
  await runPod(cluster, "p");
  await runPod(cluster, "bare", { image: "bare:1" });
}, 30_000);

afterAll(async () => {
  await cluster.close();
  await rm(folder, { recursive: true });
});

describe.skipIf(kubectlPath === undefined).each(TRANSPORTS)("kubectl over %s", (transport, env) => {
  it("exec runs a command with its input, output, and exit code", async () => {
    const done = await kubectl(["exec", "-i", "p", "--", "sh", "-c", "cat; echo oops >&2; exit 3"], "hello", env);
    expect(done).toMatchObject({
      exitCode: 3,
      stdout: "hello",
      stderr: "oops\ncommand terminated with exit code 3",
    });
  });

  it("upgrades its connections as requested", async () => {
    const header = transport === "SPDY" ? "Upgrade: SPDY/3.1" : "Sec-Websocket-Protocol: ";
    const shown = await kubectl(["exec", "-v=8", "p", "--", "true"], "", env);
    expect([shown.exitCode, shown.stderr]).toEqual([0, expect.stringContaining("101 Switching Protocols")]);
    expect(shown.stderr).toContain(header);
  });

  it("exec fails for an image without exec, and for a container that does not exist", async () => {
    expect(await kubectl(["exec", "bare", "--", "ls"], "", env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('exec: "ls": executable file not found in $PATH') as string,
    });
    expect(await kubectl(["exec", "p", "-c", "x", "--", "ls"], "", env)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("container x is not valid for pod p") as string,
    });
  });

  it("logs prints and follows the output", async () => {
    const name = `ends-${transport.toLowerCase()}`;
    await runPod(cluster, name, { image: "ends:1" }, { restartPolicy: "Never" });
    expect(await kubectl(["logs", "-f", name])).toMatchObject({ exitCode: 0, stdout: "one\ntwo" });
    const stamped = await kubectl(["logs", name, "--tail=1", "--timestamps"]);
    expect(stamped.stdout).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z two$/u);
    expect(await kubectl(["logs", "p", "--previous"])).toMatchObject({
      exitCode: 1,
      stderr: 'Error from server (BadRequest): previous terminated container "c" in pod "p" not found',
    });
  });

  it("attach connects to the main process", async () => {
    const attached = execa(kubectlPath ?? "", ["--kubeconfig", path.join(folder, "kubeconfig"), "attach", "-i", "p"], {
      reject: false,
      buffer: false,
      env,
    });
    attached.stdin.write("hello\n");
    let output = "";
    for await (const chunk of attached.stdout) {
      output += String(chunk);
      if (output.includes("got hello\n")) break;
    }
    attached.stdin.end();
    attached.kill();
    await attached;
    expect(output).toBe("got hello\n");
  });

  it("port-forward reaches the ports of the container", async () => {
    const forward = execa(
      kubectlPath ?? "",
      ["--kubeconfig", path.join(folder, "kubeconfig"), "port-forward", "p", ":80"],
      { reject: false, buffer: false, env },
    );
    // Its output must stay open: kubectl ends when nobody reads it.
    let output = "";
    while (!output.includes("\n")) output += String((await once(forward.stdout, "data"))[0]);
    forward.stdout.resume();
    const [, port = ""] = /Forwarding from 127\.0\.0\.1:(\d+) -> 80/u.exec(output) ?? [];
    const answers = await Promise.all(
      ["a", "b"].map(async (name) => (await fetch(`http://127.0.0.1:${port}/${name}`)).text()),
    );
    forward.kill();
    await forward;
    expect(answers).toEqual(["hello from /a", "hello from /b"]);
  });

  it("cp copies files to a container and back", async () => {
    await writeFile(path.join(folder, "local.txt"), "content\n");
    expect(
      await kubectl(["cp", path.join(folder, "local.txt"), `p:${path.join(folder, "copied.txt")}`], "", env),
    ).toMatchObject({
      exitCode: 0,
      stderr: "",
    });
    expect(await readFile(path.join(folder, "copied.txt"), "utf8")).toBe("content\n");
    const back = await kubectl(["cp", `p:${path.join(folder, "copied.txt")}`, path.join(folder, "back.txt")], "", env);
    expect(back.exitCode).toBe(0);
    expect(await readFile(path.join(folder, "back.txt"), "utf8")).toBe("content\n");
  });
});
