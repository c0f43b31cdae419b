import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

// Records how it is called; `answers` and `failing` say what it prints, and which calls do not succeed.
function fakeProgram(
  calls: string,
  { answers = {}, failing = "^$" }: { readonly answers?: Readonly<Record<string, string>>; readonly failing?: string },
): string {
  return `#!/usr/bin/env node
const call = process.argv.slice(2).join(" ");
require("node:fs").appendFileSync(${JSON.stringify(calls)}, call + "\\n");
for (const [start, text] of Object.entries(${JSON.stringify(answers)})) if (call.startsWith(start)) console.log(text);
if (new RegExp(${JSON.stringify(failing)}).test(call)) process.exitCode = 3;
`;
}

const UNSET = Object.fromEntries(
  ["IMG", "BASE_IMAGE", "RUNTIME_IMAGE", "PLATFORMS", "KIND_CLUSTER", "NAMESPACE", "POD", "PORT"].map((name) => [
    name,
    undefined,
  ]),
);
const TOOLS = (program: string): Readonly<Record<string, string>> => ({
  CONTAINER_TOOL: program,
  KIND: program,
  KUBECTL: program,
});

interface Project {
  readonly root: string;
  readonly run: (
    script: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly output: string }>;
  /** The calls of the program, in order. */
  readonly calls: () => readonly string[];
}

async function project(behavior: Parameters<typeof fakeProgram>[1] = {}): Promise<Project> {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  // Packages from a registry, as a user has them: those of this repository would be packed for each image.
  const manifest = path.join(root, "package.json");
  writeFileSync(manifest, readFileSync(manifest, "utf8").replaceAll(/"file:[^"]*"/gu, '"0.1.0"'));
  onTestFinished(() => void vi.unstubAllEnvs());
  const calls = path.join(temporaryFolder(), "calls");
  const program = path.join(temporaryFolder({ program: fakeProgram(calls, behavior) }), "program");
  chmodSync(program, 0o755);
  const { scripts } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  return {
    root,
    run: async (script, env = {}) => {
      const [name = "", ...words] = script.split(" ");
      const [scaffold, ...args] = (scripts[name] ?? "").split(" ");
      expect(scaffold).toBe("scaffold");
      vi.unstubAllEnvs();
      for (const [variable, value] of Object.entries({ ...UNSET, ...TOOLS(program), ...env }))
        vi.stubEnv(variable, value);
      const { status, stdout, stderr } = await runCommand(root, [...args, ...words].join(" "));
      return { status, output: stdout + stderr };
    },
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : []),
  };
}

// Stands for vitest, so that no cluster is needed to see what is done around it.
function writeTests(root: string, status: number): void {
  const folder = path.join(root, "node_modules", "vitest");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "package.json"), "{}");
  const seen = `JSON.stringify([process.argv.slice(2), process.env.KUBECONFIG, process.env.KIND_CLUSTER])`;
  writeFileSync(
    path.join(folder, "vitest.mjs"),
    `import { writeFileSync } from "node:fs";\nwriteFileSync("seen.json", ${seen});\nprocess.exitCode = ${status};\n`,
  );
}

describe("images by a container engine", () => {
  it("are built with the image's name and the bases that are asked for, and pushed", async () => {
    const { run, calls } = await project();
    expect(await run("docker-build", { IMG: "reg:5000/x:v1", BASE_IMAGE: "node:22" })).toMatchObject({ status: 0 });
    expect(await run("docker-push", { IMG: "reg:5000/x:v1" })).toMatchObject({ status: 0 });
    expect(calls()).toEqual(["build --build-arg BASE_IMAGE=node:22 -t reg:5000/x:v1 .", "push reg:5000/x:v1"]);
  }, 60_000);

  it("are bundled natively for several platforms, by a builder that goes again", async () => {
    const { root, run, calls } = await project({ failing: "^buildx inspect" });
    expect(await run("docker-buildx", { IMG: "x:v1", PLATFORMS: "linux/arm64,linux/amd64" })).toMatchObject({
      status: 0,
    });
    expect(calls()).toEqual([
      "buildx inspect guestbook-builder",
      "buildx create --name guestbook-builder",
      "buildx build --builder guestbook-builder --push --platform=linux/arm64,linux/amd64 --tag x:v1 -f dist/Dockerfile.cross .",
      "buildx rm guestbook-builder",
    ]);
    const stages = (readFiles(root)["dist/Dockerfile.cross"] ?? "").match(/^FROM .*$/gmu);
    expect(stages).toEqual([
      "FROM --platform=$BUILDPLATFORM node:22-bookworm-slim AS base",
      "FROM gcr.io/distroless/nodejs22-debian12:nonroot AS runtime",
      "FROM --platform=$BUILDPLATFORM ${BASE_IMAGE} AS builder",
      "FROM ${RUNTIME_IMAGE}",
    ]);
    expect(readFiles(root)["Dockerfile"]).not.toContain("$BUILDPLATFORM");
  }, 60_000);

  it("leave no builder behind when the build fails, and a builder that was there alone", async () => {
    const failing = await project({ failing: "^buildx (?:inspect|build)" });
    expect(await failing.run("docker-buildx")).toMatchObject({ status: 1 });
    expect(failing.calls().at(-1)).toBe("buildx rm guestbook-builder");
    const own = await project();
    expect(await own.run("docker-buildx")).toMatchObject({ status: 0 });
    expect(own.calls().filter((call) => /^buildx (?:create|rm)/u.test(call))).toEqual([]);
  }, 60_000);

  it("need an engine and a name, and tell how to get them", async () => {
    const { run } = await project();
    expect((await run("docker-push", { CONTAINER_TOOL: "no-such-tool" })).output).toMatch(
      /^error: cannot run no-such-tool: no such program \[CLI_PROGRAM_NOT_FOUND\]\nhint: install Docker, [^\n]+\n$/u,
    );
    expect(await run("docker-push", { IMG: "" })).toEqual({
      status: 1,
      output: expect.stringContaining('invalid value "" of IMG: not the name of an image'),
    });
  }, 60_000);

  it("take flags in place of variables", async () => {
    const { run, calls } = await project({ failing: "^buildx inspect" });
    const flags = "--image y:v2 --base-image node:24 --runtime-image run:1";
    expect(await run(`docker-build ${flags}`, { IMG: "x:v1", BASE_IMAGE: "node:22" })).toMatchObject({ status: 0 });
    expect(await run("docker-buildx --platforms linux/amd64 --image y:v2")).toMatchObject({ status: 0 });
    expect(await run("docker-push --tool no-such-tool")).toMatchObject({ status: 1 });
    expect(calls().filter((call) => !/^buildx (?:inspect|create|rm)/u.test(call))).toEqual([
      "build --build-arg BASE_IMAGE=node:24 --build-arg RUNTIME_IMAGE=run:1 -t y:v2 .",
      "buildx build --builder guestbook-builder --push --platform=linux/amd64 --tag y:v2 -f dist/Dockerfile.cross .",
    ]);
  }, 60_000);

  it("report a failing engine", async () => {
    const { run } = await project({ failing: "^push" });
    expect(await run("docker-push")).toEqual({
      status: 1,
      output: expect.stringContaining("push controller:latest exited with status 3 [CLI_EXTERNAL_PROGRAM]"),
    });
  }, 60_000);

  it("leave no context behind when a dependency by path does not exist", async () => {
    const { root, run, calls } = await project();
    const manifest = { name: "x", dependencies: { "@x/y": "file:./nowhere" } };
    writeFileSync(path.join(root, "package.json"), JSON.stringify(manifest));
    expect(await runCommand(root, "docker-context")).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining("no such file or folder [CLI_DEPLOY]"),
    });
    expect(existsSync(path.join(root, "dist", "docker-context"))).toBe(false);
    expect(await run("docker-push")).toMatchObject({ status: 0 });
    expect(calls()).toEqual(["push controller:latest"]);
  }, 60_000);
});

describe("the cluster of the end-to-end tests", () => {
  const KUBECONFIG = "apiVersion: v1\nkind: Config";

  it.each([0, 1])(
    "is made for the tests and removed whatever they say: status %d",
    async (status) => {
      const { root, run, calls } = await project({
        answers: { "get clusters": "guestbook-test-e2e-old", "get kubeconfig": KUBECONFIG },
      });
      writeTests(root, status);
      expect(await run("test-e2e")).toMatchObject({ status });
      expect(calls()).toEqual([
        "get clusters",
        "create cluster --name guestbook-test-e2e",
        "get kubeconfig --name guestbook-test-e2e",
        "delete cluster --name guestbook-test-e2e",
      ]);
      const kubeconfig = path.join(root, "dist", "test-e2e.kubeconfig");
      const seen: unknown = JSON.parse(readFiles(root)["seen.json"] ?? "");
      expect(seen).toEqual([["run", "--config", "vitest.e2e.config.ts"], kubeconfig, "guestbook-test-e2e"]);
      expect(readFileSync(kubeconfig, "utf8").trimEnd()).toBe(KUBECONFIG);
    },
    60_000,
  );

  it("has the name and the kind that flags give, and vitest gets all other words", async () => {
    const { root, run, calls } = await project({ answers: { "get kubeconfig": KUBECONFIG } });
    writeTests(root, 0);
    expect(await run("test-e2e -t runs --cluster=mine --reporter dot")).toMatchObject({ status: 0 });
    expect(calls().at(-1)).toBe("delete cluster --name mine");
    const [words] = JSON.parse(readFiles(root)["seen.json"] ?? "") as [readonly string[]];
    expect(words.slice(3)).toEqual(["-t", "runs", "--reporter", "dot"]);
    expect(await run("cleanup-test-e2e --kind no-such-kind")).toMatchObject({
      status: 1,
      output: expect.stringContaining("[CLI_PROGRAM_NOT_FOUND]\nhint: run `npm run install-kind`"),
    });
    expect(await run("test-e2e --cluster")).toMatchObject({
      status: 1,
      output: expect.stringContaining("flag needs an argument: --cluster"),
    });
  }, 60_000);

  it("is not made a second time, and is removed when making it fails", async () => {
    const there = await project({ answers: { "get clusters": "other\nguestbook-test-e2e" } });
    expect(await there.run("setup-test-e2e")).toMatchObject({ status: 0 });
    expect(there.calls()).toEqual(["get clusters"]);
    const failing = await project({ failing: "^create" });
    writeTests(failing.root, 0);
    expect(await failing.run("test-e2e")).toMatchObject({ status: 1 });
    expect(failing.calls().at(-1)).toBe("delete cluster --name guestbook-test-e2e");
  }, 60_000);

  it("is made by a kind that is the pinned one, or by none", async () => {
    const server = createServer((_, response) => response.end("not kind")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    const { root, run } = await project({ failing: "^version" });
    const KIND_DOWNLOADS = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { status, output } = await run("install-kind", { KIND_DOWNLOADS });
    expect(status).toBe(1);
    expect(output).toMatch(
      /is not kind v[\d.]+: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}|no checksum is known for/u,
    );
    expect(existsSync(path.join(root, "bin"))).toBe(false);
  }, 60_000);
});

const REACHES_CLUSTER = "get --raw /version --request-timeout=20s";

describe("a debugger", () => {
  it("is let into the manager's Pod without a restart", async () => {
    const { run, calls } = await project({ answers: { "get pods": "pod/manager-1" } });
    expect(await run("debug")).toMatchObject({ status: 0 });
    expect(calls()).toEqual([
      REACHES_CLUSTER,
      "get pods --namespace guestbook-system --selector control-plane=controller-manager,app.kubernetes.io/name=guestbook --field-selector=status.phase=Running --output name",
      "exec --namespace guestbook-system pod/manager-1 --container manager -- /nodejs/bin/node --eval process.kill(1, 'SIGUSR1')",
      "port-forward --namespace guestbook-system pod/manager-1 9229:9229",
    ]);
  }, 60_000);

  it.each([
    ["", "no Pod with the labels"],
    ["pod/one\npod/two", "set --pod to one of pod/one, pod/two"],
  ])(
    "wants one Pod: %j",
    async (pods, message) => {
      const { run, calls } = await project({ answers: { "get pods": pods } });
      expect(await run("debug")).toEqual({ status: 1, output: expect.stringContaining(message) });
      expect(calls()).toEqual([REACHES_CLUSTER, expect.stringMatching(/^get pods /u)]);
    },
    60_000,
  );

  it("reaches the Pod, namespace and port that flags give", async () => {
    const { run, calls } = await project();
    expect(await run("debug --pod pod/mine --namespace ours --port 9300", { POD: "pod/other" })).toMatchObject({
      status: 0,
      output: expect.stringContaining("the inspector of pod/mine is available at localhost:9300"),
    });
    expect(calls().at(-1)).toBe("port-forward --namespace ours pod/mine 9300:9229");
  }, 60_000);
});
