import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import type { EmbeddedCluster } from "@kubescaffold/cluster";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { kubeconfigOf } from "../../src/control-plane/kubeconfig.ts";
import { clusterOfStreams } from "./spdy-fixtures.ts";
import { runPod } from "./stream-fixtures.ts";

const CLIENT = fileURLToPath(new URL("../../../../hack/streams", import.meta.url));
const LIVENESS_MS = 500_000;
const SPDY_VERSIONS = ["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"] as const;
const hasGo = process.platform !== "win32" && spawnSync("go", ["version"]).status === 0;
if (!hasGo) console.warn("SKIPPED: streams over SPDY were NOT tried with client-go, since there is no Go on the PATH");

// Without a cache, its modules are downloaded and compiled.
describe.skipIf(!hasGo)("client-go over SPDY", { timeout: LIVENESS_MS }, () => {
  let cluster: EmbeddedCluster;
  let folder: string;
  let program: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "client-go-"));
    cluster = await clusterOfStreams(folder);
    // client-go sends tokens over TLS only.
    const secure = await cluster.listen({ tls: true });
    await writeFile(path.join(folder, "kubeconfig"), kubeconfigOf(secure.config), { mode: 0o600 });
    program = path.join(folder, "client");
    await execa("go", ["build", "-mod=readonly", "-buildvcs=false", "-o", program, "./client"], {
      cwd: CLIENT,
      env: { CGO_ENABLED: "0", GOWORK: "off" },
    });
  }, LIVENESS_MS);

  afterAll(async () => {
    await cluster.close();
    await rm(folder, { recursive: true });
  });

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
