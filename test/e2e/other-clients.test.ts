/** Clients of other languages review access, run commands, attach to containers, and forward ports. */
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

import { createEmbeddedCluster, type EmbeddedCluster } from "@kubescaffold/cluster";
import { kubeconfigOf } from "@kubescaffold/envtest";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { runPod } from "../../packages/envtest/test/streams/stream-fixtures.ts";
import { clientCommand, LANGUAGES } from "../support/other-clients.ts";
import { runProgram } from "../support/run-program.ts";

let folder: string;
let kubeconfig: string;
let cluster: EmbeddedCluster;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "other-clients-"));
  kubeconfig = path.join(folder, "kubeconfig");
  cluster = createEmbeddedCluster({ workloadSimulation: true });
  cluster.server.start();
  cluster.images.define("app:*", {
    run: async ({ ports, stdin, stdout, signal }) => {
      ports.listen(80, (connection) => {
        connection.on("data", (data: Buffer) => connection.end(`echo ${data.toString()}`));
      });
      stdin.on("data", (data: Buffer) => stdout.write(`heard ${data.toString()}`));
      await once(signal, "abort");
    },
    exec: async ({ stdout, command }) => {
      stdout.write(`ran ${command.join(" ")}`);
      return command.includes("fail") ? 3 : 0;
    },
  });
  await runPod(cluster, "p");
  const { config } = await cluster.listen({ tls: true });
  await writeFile(kubeconfig, kubeconfigOf(config));
});

afterAll(async () => {
  await cluster?.close();
  await rm(folder, { recursive: true, force: true });
});

const LIVENESS_MS = 120_000;
const EXPECTED = { review: true, exec: "ran echo hi", code: 3, attached: "heard ping", forwarded: "echo ping" };

describe.each(LANGUAGES)("the client of %s", { timeout: LIVENESS_MS }, (language) => {
  const [program = "", ...args] = clientCommand(language) ?? [];

  it.skipIf(program === "")("reviews access, runs commands, attaches, and forwards ports", async () => {
    const { status, output } = await runProgram(program, [...args, kubeconfig], { cwd: folder });
    expect({ status, output }).toEqual({ status: 0, output: expect.stringContaining("{") });
    // Logs may precede the results.
    expect(JSON.parse(output.trimEnd().split("\n").at(-1) ?? "")).toEqual(EXPECTED);
  });
});
