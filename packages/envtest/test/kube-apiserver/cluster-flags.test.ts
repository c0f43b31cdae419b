import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Readable } from "node:stream";

import type { RestConfig } from "@kubescaffold/k8s";
import { Deployment, ReplicaSet } from "@kubescaffold/k8s/apps/v1";
import { ConfigMap, Pod, ServiceAccount } from "@kubescaffold/k8s/core/v1";
import {
  createClient,
  createRestClient,
  createToken,
  exec,
  getConfig,
  type LiveClient,
  podLogs,
} from "@kubescaffold/runtime";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { startKubeApiServerStandIn } from "../../src/kube-apiserver/server.ts";
import { Sink } from "../streams/stream-fixtures.ts";

let folder: string;
const cleanUps: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "kubescaffold-cluster-flags-"));
});
afterEach(async () => {
  for (const work of cleanUps.splice(0).toReversed()) await work();
  await rm(folder, { recursive: true, force: true });
});

async function file(name: string, text: string): Promise<string> {
  await writeFile(path.join(folder, name), text);
  return path.join(folder, name);
}

// Other work may share the processors.
async function soon<T>(check: () => Promise<T>): Promise<T> {
  return await vi.waitFor(check, { timeout: 20_000, interval: 20 });
}

interface Started {
  readonly config: RestConfig;
  readonly client: LiveClient;
  readonly stop: () => Promise<void>;
}

async function start(...args: readonly string[]): Promise<Started> {
  const kubeconfig = path.join(folder, "kubeconfig");
  const server = await startKubeApiServerStandIn(["--secure-port=0", `--kubeconfig=${kubeconfig}`, ...args]);
  cleanUps.push(server.stop);
  const config = await getConfig({ kubeconfig });
  return { config, client: createClient(config), stop: server.stop };
}

const DEFAULT = { namespace: "default", name: "default" };
const KEY = { namespace: "default", name: "w" };

function pod(image: string, container: object = {}, spec: object = {}): Pod {
  return Pod.create({ metadata: KEY, spec: { containers: [{ name: "c", image, ...container }], ...spec } });
}

function deployment(): Deployment {
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "web" }] } };
  const metadata = { namespace: "default", name: "web" };
  return Deployment.create({ metadata, spec: { replicas: 2, selector: { matchLabels: labels }, template } });
}

describe("controllers and workloads", () => {
  it("are not there by default", async () => {
    const { client } = await start();
    await client.create(deployment());
    expect((await client.list(ServiceAccount, { namespace: "default" })).items).toEqual([]);
    expect((await client.list(ReplicaSet, { namespace: "default" })).items).toEqual([]);
  });

  it("are controllers without Nodes with --controllers, as in a control plane without kubelets", async () => {
    const { client } = await start("--controllers");
    expect((await client.get(ServiceAccount, DEFAULT)).metadata?.name).toBe("default");
    expect((await client.get(ConfigMap, { ...DEFAULT, name: "kube-root-ca.crt" })).data?.["ca.crt"]).toContain("BEGIN");
    await client.create(deployment());
    await soon(async () => {
      const { items } = await client.list(Pod, { namespace: "default" });
      const conditions = items.map(({ status }) => status?.conditions?.[0]?.message ?? "");
      expect([items.length, ...conditions]).toEqual([
        2,
        ...Array(2).fill(expect.stringContaining("no nodes available")),
      ]);
    });
  });

  it("make Pods ready with --workloads", async () => {
    const { client } = await start("--workloads");
    await client.create(deployment());
    await soon(async () => {
      expect((await client.get(Deployment, { namespace: "default", name: "web" })).status?.availableReplicas).toBe(2);
    });
  });
});

const IMAGES = `
images:
  - image: worker:*
    command: [sh, -c, 'echo "$MODE/$POD_NAME/$SECRET/$*"; sleep 1000 & echo "child $!"; wait', sh]
    args: true
    env: [MODE, UNSET]
    exec: [sh, -c, 'cat; echo "ran $*"; exit 3', sh]
  - image: fails:*
    command: [sh, -c, exit 4]
  - image: killed:*
    command: [sh, -c, kill -9 $$]
  - image: absent:*
    command: [/nonexistent/program]
  - image: done:*
    exitCode: 7
  - image: gone:*
    missing: true
`;

describe.skipIf(process.platform === "win32")("images with commands", () => {
  let started: Started;

  beforeEach(async () => {
    started = await start(`--images=${await file("images.yaml", IMAGES)}`);
  });

  async function run(created: Pod): Promise<Pod> {
    const { client } = started;
    await client.create(created);
    return await soon(async () => {
      const found = await client.get(Pod, KEY);
      expect(found.status?.containerStatuses?.[0]?.state?.waiting?.reason).not.toBe("ContainerCreating");
      expect(found.status?.containerStatuses?.[0]?.state).toBeDefined();
      return found;
    });
  }

  it("run them with the arguments and variables that the file allows, and end them with their descendants", async () => {
    const env = [
      { name: "MODE", value: "fast" },
      { name: "SECRET", value: "hidden" },
    ];
    const { status } = await run(pod("worker:1", { args: ["a", "b"], env }));
    expect(status?.containerStatuses?.[0]?.state).toHaveProperty("running");
    const child = await soon(async () => {
      const lines = (await logOf(started.config)).split("\n");
      expect(lines[0]).toBe("fast/w//a b");
      return Number(/^child (\d+)$/u.exec(lines[1] ?? "")?.[1]);
    });
    expect(isAlive(child)).toBe(true);
    await started.stop();
    await soon(async () => expect(isAlive(child)).toBe(false));
  });

  it("run commands of exec with their own program", async () => {
    await run(pod("worker:1"));
    const rest = createRestClient(started.config);
    const [stdout, stderr] = [new Sink(), new Sink()];
    const executor = exec(rest, KEY, { command: ["x", "y"] });
    await expect(executor.stream({ stdin: Readable.from(["input "]), stdout, stderr })).rejects.toMatchObject({
      exitCode: 3,
    });
    expect(stdout.text).toBe("input ran x y\n");
    await rest.close();
  });

  it.each([
    ["fails:1", 4, ""],
    ["killed:1", 137, ""],
    ["done:1", 7, ""],
    ["absent:1", 1, "cannot run /nonexistent/program: "],
  ])("%s exits with status %i", async (image, exitCode, log) => {
    const { client } = started;
    await client.create(pod(image, {}, { restartPolicy: "Never" }));
    await soon(async () => {
      const { status } = await client.get(Pod, KEY);
      expect(status?.containerStatuses?.[0]?.state?.terminated?.exitCode).toBe(exitCode);
    });
    expect(await logOf(started.config)).toContain(log);
  });

  it("wait for images that cannot be pulled", async () => {
    await run(pod("gone:1"));
    await soon(async () => {
      const { status } = await started.client.get(Pod, KEY);
      expect(status?.containerStatuses?.[0]?.state?.waiting?.reason).toMatch(/^(?:ErrImagePull|ImagePullBackOff)$/u);
    });
  });
});

describe("the files for other programs", () => {
  const paths = (): readonly string[] => [path.join(folder, "kubeconfig"), path.join(folder, "ready")];
  const flags = (): readonly string[] => [
    "--secure-port=0",
    `--kubeconfig=${paths()[0]}`,
    `--ready-file=${paths()[1]}`,
  ];

  it("are private, and there while the server is", async () => {
    const server = await startKubeApiServerStandIn(flags());
    cleanUps.push(server.stop);
    expect(await readFile(path.join(folder, "ready"), "utf8")).toBe(`${server.url}\n`);
    expect((await getConfig({ kubeconfig: path.join(folder, "kubeconfig") })).server).toBe(server.url);
    expect(await Promise.all(paths().map(async (each) => ((await stat(each)).mode & 0o777).toString(8)))).toEqual([
      "600",
      "600",
    ]);
    expect((await readdir(folder)).toSorted()).toEqual(["kubeconfig", "ready"]);
    await server.stop();
    expect(await readdir(folder)).toEqual([]);
  });

  it("replace those of a server that was killed, and become private", async () => {
    const first = await startKubeApiServerStandIn(flags());
    const texts = await Promise.all(paths().map(async (each) => await readFile(each, "utf8")));
    await first.stop();
    for (const [index, each] of paths().entries()) {
      await writeFile(each, texts[index] ?? "");
      await chmod(each, 0o644);
    }
    const second = await startKubeApiServerStandIn(flags());
    cleanUps.push(second.stop);
    expect(await readFile(path.join(folder, "ready"), "utf8")).toBe(`${second.url}\n`);
    expect(((await stat(path.join(folder, "kubeconfig"))).mode & 0o777).toString(8)).toBe("600");
  });

  it("stay when others have changed them", async () => {
    const server = await startKubeApiServerStandIn(flags());
    await file("kubeconfig", "mine");
    await server.stop();
    expect(await readdir(folder)).toEqual(["kubeconfig"]);
  });

  it.each(["kubeconfig", "ready-file"])("never replace a file of others: --%s", async (flag) => {
    const mine = await file("mine", "apiVersion: v1\ncurrent-context: prod\n");
    const [certs, other] = [path.join(folder, "certs"), path.join(folder, "other")];
    const otherFlag = flag === "kubeconfig" ? "ready-file" : "kubeconfig";
    const args = ["--secure-port=0", `--cert-dir=${certs}`, `--${flag}=${mine}`, `--${otherFlag}=${other}`];
    await expect(startKubeApiServerStandIn(args)).rejects.toMatchObject({
      code: "ENVTEST_SERVER_FLAG",
      message: `cannot use --${flag}=${mine}: the file exists, and no API server of this command wrote it`,
      hint: "pass another path, or remove the file",
    });
    expect(await readFile(mine, "utf8")).toContain("prod");
    expect(await readdir(folder)).toEqual(["mine"]);
  });

  it("leave nothing when the second one cannot be written", async () => {
    const blocked = path.join(await file("blocked", ""), "ready");
    const args = ["--secure-port=0", `--kubeconfig=${path.join(folder, "kubeconfig")}`, `--ready-file=${blocked}`];
    await expect(startKubeApiServerStandIn(args)).rejects.toThrow("--ready-file");
    expect(await readdir(folder)).toEqual(["blocked"]);
  });
});

describe("snapshots", () => {
  const saved = (): string => path.join(folder, "state");
  const object = ConfigMap.create({ metadata: { namespace: "default", name: "a" }, data: { key: "value" } });

  it("start servers with the same objects and tokens, and stay unchanged unless they are saved", async () => {
    const first = await start("--controllers", `--snapshot=${saved()}`, "--save-snapshot");
    await first.client.create(object);
    const token = (await createToken(first.client, DEFAULT, { audiences: [] })).status?.token ?? "";
    await first.stop();
    const before = await contentsOf(saved());
    for (const name of ["b", "b"]) {
      const { client, config, stop } = await start("--controllers", `--snapshot=${saved()}`);
      expect((await client.get(ConfigMap, { namespace: "default", name: "a" })).data).toEqual({ key: "value" });
      await client.create(ConfigMap.create({ metadata: { namespace: "default", name } }));
      const robot = createClient({ ...config, credentials: { kind: "token", token } });
      expect((await robot.get(ConfigMap, { namespace: "default", name })).metadata?.name).toBe("b");
      await stop();
      expect(await contentsOf(saved())).toEqual(before);
    }
  });

  it("of a server that runs are refused", async () => {
    await start(`--snapshot=${saved()}`, "--save-snapshot");
    await expect(startKubeApiServerStandIn(["--secure-port=0", `--snapshot=${saved()}`])).rejects.toMatchObject({
      code: "APISERVER_STATE_LOCKED",
    });
  });

  it("that are damaged are refused, and stay as they are", async () => {
    await (await start(`--snapshot=${saved()}`, "--save-snapshot")).stop();
    const [log = ""] = (await readdir(saved())).filter((name) => name.startsWith("log-"));
    const text = await readFile(path.join(saved(), log), "utf8");
    await writeFile(path.join(saved(), log), text.replace("default", "defaced"));
    const before = await contentsOf(saved());
    await expect(startKubeApiServerStandIn(["--secure-port=0", `--snapshot=${saved()}`])).rejects.toMatchObject({
      code: "APISERVER_STATE_CORRUPT",
    });
    expect(await contentsOf(saved())).toEqual(before);
  });
});

describe("invalid flags", () => {
  it.each([
    [["--save-snapshot"], "cannot use --save-snapshot without --snapshot"],
    [["--snapshot=/nonexistent"], "cannot read the snapshot of --snapshot: ENOENT"],
    [["--images=x", "--workloads=false"], "cannot use --images without --workloads"],
    [["--workloads", "--controllers=false"], "cannot use --workloads without --controllers"],
    [["--workloads=maybe"], 'invalid value "maybe" for flag --workloads: not true or false'],
    [["--kubeconfig=a", "--ready-file=./a"], "cannot use a for both --kubeconfig and --ready-file"],
    [["--images=/nonexistent"], "cannot read the file of --images: ENOENT"],
    [["--kubeconfig=/"], "cannot use --kubeconfig=/: EISDIR"],
  ])("%j fails", async (args, message) => {
    await expect(startKubeApiServerStandIn(["--secure-port=0", ...args])).rejects.toMatchObject({
      code: "ENVTEST_SERVER_FLAG",
      message: expect.stringContaining(message),
    });
  });

  it("a folder without a snapshot fails", async () => {
    await mkdir(path.join(folder, "empty"));
    await expect(startKubeApiServerStandIn([`--snapshot=${path.join(folder, "empty")}`])).rejects.toMatchObject({
      message: `cannot read the snapshot of --snapshot: ${path.join(folder, "empty")} contains none`,
      hint: "add --save-snapshot to create one",
    });
  });

  it.each([
    ["[]", "contains no object"],
    ["image: x", "image: unknown field"],
    ["images: {}", "images: not a list"],
    ["images: [x]", "images[0]: not an object"],
    ["images: [{ command: [x] }]", "images[0].image: not a text"],
    ["images: [{ image: a, command: sh }]", "images[0].command: not a list of texts"],
    ["images: [{ image: a, command: [] }]", "images[0].command: names no program"],
    ["images: [{ image: a }, { image: b, exec: [] }]", "images[1].exec: names no program"],
    ["images: [{ image: a, commands: [x] }]", "images[0].commands: unknown field"],
    ["images: [{ image: a, exitCode: 256 }]", "images[0].exitCode: not a number from 0 to 255"],
    ["images: [{ image: a, missing: 1 }]", "images[0].missing: not true or false"],
    ["images: [{ image: a, exitCode: 0, missing: true }]", "images[0]: exitCode and missing exclude each other"],
  ])("the images %s fail", async (text, message) => {
    await expect(startKubeApiServerStandIn([`--images=${await file("images.yaml", text)}`])).rejects.toMatchObject({
      code: "ENVTEST_SERVER_FLAG",
      message: expect.stringContaining(message),
    });
  });
});

async function logOf(config: RestConfig): Promise<string> {
  const rest = createRestClient(config);
  try {
    return await podLogs(rest, KEY).text();
  } finally {
    await rest.close();
  }
}

async function contentsOf(of: string): Promise<readonly (readonly [string, string])[]> {
  const names = (await readdir(of)).toSorted();
  return await Promise.all(names.map(async (name) => [name, await readFile(path.join(of, name), "utf8")] as const));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
