import { createServer } from "node:net";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { newProject, type ProjectCopy } from "../e2e/project-copy.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, writeFiles } from "../support/temporary-folder.ts";

// A manager waits two minutes for its caches; long enough here for a server to answer.
const CACHE_SYNC_TIMEOUT_MS = 4_000;

// One for all tests, each of which writes no more than the kubeconfig that it needs.
let project: ProjectCopy;

beforeAll(async () => {
  project = newProject();
  await fill(project);
});
afterAll(() => project.remove());

async function fill({ root }: ProjectCopy): Promise<void> {
  await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK, "manifests");
  const main = readFiles(root)["cmd/main.ts"] ?? "";
  const patient = "    ...managerOptionsOf(flags),\n";
  const impatient = `${patient}    controller: { cacheSyncTimeoutMs: ${CACHE_SYNC_TIMEOUT_MS} },\n`;
  expect(main).toContain(patient);
  writeFiles(root, { "cmd/main.ts": main.replace(patient, impatient) });
}

interface ManagerRun {
  readonly root: string;
  readonly flags: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

function runManager({ root, flags, env = {} }: ManagerRun): Promise<ProgramResult> {
  const program = ["--import", "tsx", "cmd/main.ts"];
  return runProgram(process.execPath, [...program, "--health-probe-bind-address=0", ...flags], { cwd: root, env });
}

// The lines that say why the program failed; stacks and what was tried before are omitted.
function failuresOf({ output }: ProgramResult): readonly string[] {
  return output.split("\n").filter((line) => line.includes("Failed to run manager"));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe("the program of a project ends with status 1 and one reason", () => {
  it("when the kubeconfig does not exist", async () => {
    const result = await runManager({ root: project.root, flags: ["--kubeconfig=nowhere"] });
    expect(result.status).toBe(1);
    expect(failuresOf(result)).toEqual([expect.stringContaining("cannot read the kubeconfig nowhere")]);
  });

  it("when the API server cannot be reached", async () => {
    const port = await freePort();
    const { root } = project;
    writeFiles(root, { kubeconfig: kubeconfigFor(`http://127.0.0.1:${port}`) });
    const result = await runManager({ root, flags: ["--kubeconfig=kubeconfig"], env: { ENABLE_WEBHOOKS: "false" } });
    expect(result.status).toBe(1);
    expect(failuresOf(result)).toEqual([
      expect.stringContaining(`cannot reach the API server at http://127.0.0.1:${port}: connection refused`),
    ]);
  });

  it("when the user may not list the kind", async () => {
    const { root } = project;
    const environment = await startEnvironment(root);
    await environment.writeKubeconfig(`${root}/kubeconfig`, await environment.addUser({ name: "nobody" }));
    const result = await runManager({ root, flags: ["--kubeconfig=kubeconfig"], env: { ENABLE_WEBHOOKS: "false" } });
    expect(result.status).toBe(1);
    expect(failuresOf(result)).toHaveLength(1);
    expect(failuresOf(result)[0]).toContain(
      String.raw`User \"nobody\" cannot list resource \"guestbooks\" in API group \"webapp.demo\"`,
    );
    expect(failuresOf(result)[0]).toContain("the program's role allows to list and watch it");
  });

  it("when the port of the webhooks is in use", async () => {
    const { root } = project;
    const environment = await startEnvironment(root);
    await environment.writeKubeconfig(`${root}/kubeconfig`);
    const { port, certDirectory } = environment.webhookServing;
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(port, resolve));
    onTestFinished(() => void blocker.close());
    const flags = ["--kubeconfig=kubeconfig", `--webhook-port=${port}`, `--webhook-cert-path=${certDirectory}`];
    const result = await runManager({ root, flags });
    expect(result.status).toBe(1);
    expect(failuresOf(result)).toHaveLength(1);
    expect(failuresOf(result)[0]).toContain(`cannot serve webhooks on port ${port}: listen EADDRINUSE`);
    expect(failuresOf(result)[0]).toContain("set another one with --webhook-port");
  });
});

describe("the program of a project takes the flags of kubebuilder's managers", () => {
  it("and logs as they say", async () => {
    const { root } = project;
    const flags = [
      "--enable-http2",
      "--zap-devel=false",
      "--zap-encoder=json",
      "--zap-log-level=info",
      "--zap-stacktrace-level=panic",
      "--zap-time-encoding=epoch",
      "--kubeconfig=nowhere",
    ];
    const { status, output } = await runManager({ root, flags });
    expect(status).toBe(1);
    const lines = output.split("\n").map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
    expect(lines).toEqual([
      { level: "info", ts: expect.any(Number), logger: "setup", msg: expect.stringContaining("HTTP/1.1") },
      expect.objectContaining({ level: "error", ts: expect.any(Number), msg: "Failed to run manager" }),
    ]);
    expect(lines[1]).not.toHaveProperty("stack");
  });

  it.each(["--zap-log-level=warn", "--zap-encoder=xml", "--zap-time-encoding=never", "--zap-devel=maybe", "--zap"])(
    "and rejects %s as invalid usage",
    async (flag) => {
      const { status, output } = await runManager({ root: project.root, flags: [flag] });
      expect({ status, output }).toEqual({ status: 2, output: expect.stringContaining("Usage of the manager:") });
    },
  );
});

async function startEnvironment(root: string): Promise<Environment> {
  const environment = new Environment({
    backend: "embedded",
    crdDirectoryPaths: [path.join(root, "config/crd/bases")],
    webhooks: { paths: [path.join(root, "config/webhook/manifests.yaml")] },
  });
  await environment.start();
  onTestFinished(() => environment.stop());
  return environment;
}

function kubeconfigFor(server: string): string {
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    clusters: [{ name: "test", cluster: { server } }],
    users: [{ name: "test", user: { token: "token" } }],
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
  });
}
