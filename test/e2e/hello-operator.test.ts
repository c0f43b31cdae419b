/** The program of docs/start/hello-operator.md runs as the page says. */
import { symlink, writeFile } from "node:fs/promises";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { ConfigMap } from "@kubescaffold/k8s/core/v1";
import { createClient } from "@kubescaffold/runtime";
import { execa } from "execa";
import { describe, expect, it, onTestFinished } from "vitest";

import { readSource, ROOT } from "../architecture/source-files.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { eventually } from "./eventually.ts";

const LIVENESS_MS = 120_000;

async function writeProgram(): Promise<string> {
  const [, code = ""] = /```ts\n([\s\S]*?)```/u.exec(readSource("docs/start/hello-operator.md")) ?? [];
  const folder = temporaryFolder({ "package.json": JSON.stringify({ type: "module" }) });
  await symlink(path.join(ROOT, "node_modules"), path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "operator.ts"), code);
  return folder;
}

function start(cwd: string, ...args: string[]) {
  const child = execa(process.execPath, ["--import", "tsx", "operator.ts", "--health-probe-bind-address=0", ...args], {
    cwd,
    all: true,
    reject: false,
    timeout: LIVENESS_MS,
  });
  let output = "";
  child.all.setEncoding("utf8").on("data", (text: string) => (output += text));
  return { child, output: () => output };
}

describe("the operator of the page", { timeout: LIVENESS_MS }, () => {
  it("logs the ConfigMaps of the cluster of its kubeconfig, and stops at SIGTERM", async () => {
    const environment = new Environment();
    onTestFinished(async () => environment.stop());
    const client = createClient(await environment.start());
    await client.create(ConfigMap.create({ metadata: { name: "hello", namespace: "default" }, data: { a: "1" } }));
    const folder = await writeProgram();
    const kubeconfig = path.join(folder, "kubeconfig");
    await environment.writeKubeconfig(kubeconfig);
    const { child, output } = start(folder, `--kubeconfig=${kubeconfig}`);
    await eventually(
      () => (/"?hello"?/u.test(output()) && /keys/u.test(output()) ? true : undefined),
      () => output(),
    );
    child.kill("SIGTERM");
    expect(await child).toMatchObject({ exitCode: 0 });
  });

  it("says what is wrong with flags, and exits with status 2", async () => {
    const { all, exitCode } = await start(await writeProgram(), "--leader").child;
    expect(all).toMatch(/^unknown flag: --leader\n/u);
    expect(exitCode).toBe(2);
  });

  it("logs why it cannot run, and exits with status 1", async () => {
    const { all, exitCode } = await start(await writeProgram(), "--kubeconfig=missing").child;
    expect(all).toContain("Failed to run manager");
    expect(all).toContain("missing");
    expect(exitCode).toBe(1);
  });
});
