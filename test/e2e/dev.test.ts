import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";

import type { DeepReadonly } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import { readYaml } from "@kubescaffold/k8s/yaml";
import { type Client, createClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

import { runProgram } from "../support/run-program.ts";
import { openPageOf, streamUntil } from "./dashboard-stream.ts";
import { configOf, DevProcess, holderOf, kubeconfigOf, startDevOnExample } from "./dev-process.ts";
import { eventually } from "./eventually.ts";
import { copyExample, PROGRAM, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const TYPES = path.join("api", "v1", "guestbook_types.ts");
const GUESTBOOK = { group: "webapp.demo", version: "v1", kind: "Guestbook" };
const KEY = { name: "guestbook-sample", namespace: "default" };
const DEFINITION = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };

interface Guestbook extends KubernetesObject {
  readonly spec: { readonly size?: number };
  readonly status?: { readonly availableReplicas?: number };
}

// Every test goes on where the one before it stopped, as a developer does.
describe("scaffold dev", { timeout: LIVENESS_MS }, () => {
  let project: ProjectCopy;
  let dev: DevProcess;
  let client: Client;

  beforeAll(async () => {
    project = copyExample();
    dev = new DevProcess(project.root);
    await dev.waitForManager();
    client = createClient(await configOf(project.root));
  }, LIVENESS_MS);

  afterAll(async () => {
    await dev.end();
    project.remove();
  }, LIVENESS_MS);

  function source(file: string): string {
    return readFileSync(path.join(project.root, file), "utf8");
  }

  async function served(size: number): Promise<DeepReadonly<Guestbook>> {
    return await eventually(
      async () => {
        const guestbook = await client.get<Guestbook>(GUESTBOOK, KEY);
        return guestbook.status?.availableReplicas === size ? guestbook : undefined;
      },
      () => `${String(size)} Pods of the sample; the manager wrote:\n${dev.output}`,
    );
  }

  it("names the server, the manager's user and a kubeconfig that only its owner can read", () => {
    expect(dev.output).toMatch(/^API server {3}https:\/\/127\.0\.0\.1:\d+$/mu);
    expect(dev.output).toContain(`kubeconfig   ${kubeconfigOf(project.root)}\n`);
    expect(dev.output).toContain("Pods         simulated: they become ready without running containers\n");
    expect(dev.output).toContain("system:serviceaccount:guestbook-system:guestbook-controller-manager\n");
    expect(statSync(kubeconfigOf(project.root)).mode & 0o777).toBe(process.platform === "win32" ? 0o666 : 0o600);
  });

  it("serves webhooks on the loopback interface alone", () => {
    expect(dev.output).toMatch(/serving webhook server.*"host": ?"127\.0\.0\.1"/u);
  });

  it("reconciles what is created through that kubeconfig", async () => {
    const sample = readYaml(source(path.join("config", "samples", "webapp_v1_guestbook.yaml"))) as Guestbook;
    await client.create({ ...sample, metadata: { ...sample.metadata, namespace: "default" } });
    expect((await served(2)).metadata.finalizers).toEqual(["webapp.demo/guestbook"]);
  });

  it("lets the manager's user do what the generated roles say, and no more", async () => {
    const manager = createClient({
      ...(await configOf(project.root)),
      impersonate: { userName: "system:serviceaccount:guestbook-system:guestbook-controller-manager" },
    });
    await manager.list(GUESTBOOK, { namespace: "default" });
    const secrets = manager.list({ group: "", version: "v1", kind: "Secret" }, { namespace: "default" });
    await expect(secrets).rejects.toThrow(/cannot list resource "secrets"/u);
  });

  it("writes and installs the manifests and restarts the manager when a source changes", async () => {
    const field = "/** motto is shown on top. */\n  motto?: string;\n\n  /**\n   * size is";
    writeFileSync(path.join(project.root, TYPES), source(TYPES).replace("/**\n   * size is", field));
    await dev.waitForManager(2);
    expect(source(path.join("config", "crd", "bases", "webapp.demo_guestbooks.yaml"))).toContain("motto:");
    const definition = await client.get(DEFINITION, { name: "guestbooks.webapp.demo" });
    expect(JSON.stringify(definition)).toContain('"motto":{"description":"motto is shown on top.","type":"string"}');
  });

  it("reports an error in a source, and the manager goes on", async () => {
    const correct = source(TYPES);
    writeFileSync(path.join(project.root, TYPES), correct.replace("motto?: string;", "motto?: ;"));
    await dev.waitFor(/guestbook_types\.ts:\d+:\d+/);
    const guestbook = await client.get<Guestbook>(GUESTBOOK, KEY);
    await client.update({ ...guestbook, spec: { ...guestbook.spec, size: 3 } });
    expect((await served(3)).spec.size).toBe(3);
    expect(dev.count(/Starting manager/)).toBe(2);
    writeFileSync(path.join(project.root, TYPES), correct);
    await dev.waitForManager(3);
  });

  it("names a deleted PROJECT, and goes on with the one that is restored", async () => {
    const text = source("PROJECT");
    rmSync(path.join(project.root, "PROJECT"));
    await dev.waitFor(/error: cannot find the file PROJECT .*\[PROJECT_NOT_FOUND\]/u);
    const options = "  base.ts.kubescaffold.dev/v1:\n    generators:\n      crd:\n        maxDescLen: 0\n";
    writeFileSync(
      path.join(project.root, "PROJECT"),
      `${text.replace(/^plugins:\n[^]*?(?=^\S)/mu, "")}plugins:\n${options}`,
    );
    await dev.waitForManager(4);
    const definition = await client.get(DEFINITION, { name: "guestbooks.webapp.demo" });
    expect(JSON.stringify(definition)).toContain('"motto":{"type":"string"}');
    writeFileSync(path.join(project.root, "PROJECT"), text);
    await dev.waitForManager(5);
  });

  it("lets other commands work in the project", async () => {
    const { status, output } = await runProgram(process.execPath, [PROGRAM, "manifests"], { cwd: project.root });
    expect({ status, output }).toMatchObject({ status: 0 });
  });

  it("refuses a second one in the project, which leaves the first one's kubeconfig alone", async () => {
    const kubeconfig = readFileSync(kubeconfigOf(project.root), "utf8");
    const { status, output } = await runProgram(process.execPath, [PROGRAM, "dev"], { cwd: project.root });
    expect(status).toBe(1);
    expect(output).toContain("SCAFFOLD_LOCKED");
    expect(output).toContain(`process ${String(holderOf(project.root))}`);
    expect(readFileSync(kubeconfigOf(project.root), "utf8")).toBe(kubeconfig);
  });

  it("ends with everything it started when it is interrupted", async () => {
    const { server } = await configOf(project.root);
    expect(await dev.interrupt()).toBe(0);
    await expect(fetch(server)).rejects.toThrow("fetch failed");
    expect(holderOf(project.root)).toBeUndefined();
    expect(dev.output).not.toContain("is forbidden");
  });
});

it(
  "scaffold dev starts the manager of a project that became namespaced in its namespace",
  async () => {
    const { project, dev } = startDevOnExample();
    await dev.waitForManager();
    const edit = await runProgram(process.execPath, [PROGRAM, "edit", "--namespaced"], { cwd: project.root });
    expect(edit).toMatchObject({ status: 0 });
    await dev.waitForManager(2);
    expect(dev.output).not.toContain("WATCH_NAMESPACE must name the namespaces to watch");
    expect(await dev.interrupt()).toBe(0);
  },
  LIVENESS_MS,
);

it(
  "scaffold dev generates again what changes while it starts",
  async () => {
    const { project, dev } = startDevOnExample();
    // The first manifests are written before anybody holds the lock, and the server starts after that.
    await eventually(
      () => (holderOf(project.root) === undefined ? undefined : true),
      () => dev.output,
    );
    const file = path.join(project.root, TYPES);
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace("/**\n   * size is", "motto?: string;\n\n  /**\n   * size is"),
    );
    const crd = path.join(project.root, "config", "crd", "bases", "webapp.demo_guestbooks.yaml");
    await eventually(
      () => (readFileSync(crd, "utf8").includes("motto:") ? true : undefined),
      () => dev.output,
    );
    await dev.waitForManager();
    expect(await dev.interrupt()).toBe(0);
  },
  LIVENESS_MS,
);

it(
  "scaffold dev --keep starts with the objects of the run before, also if that was killed",
  async () => {
    const project = copyExample();
    onTestFinished(() => project.remove());
    const run = async (): Promise<{ readonly dev: DevProcess; readonly client: Client }> => {
      const dev = new DevProcess(project.root, ["--keep"]);
      onTestFinished(() => dev.end());
      await dev.waitForManager();
      return { dev, client: createClient(await configOf(project.root)) };
    };
    const isServed = async (client: Client, size: number): Promise<DeepReadonly<Guestbook> | undefined> => {
      const guestbook = await client.get<Guestbook>(GUESTBOOK, KEY);
      return guestbook.status?.availableReplicas === size ? guestbook : undefined;
    };
    const folder = path.join(project.root, ".kubescaffold", "dev", "state");

    const first = await run();
    expect(first.dev.output).toContain(`objects      kept in ${folder}\n`);
    const sample = path.join(project.root, "config", "samples", "webapp_v1_guestbook.yaml");
    const created = readYaml(readFileSync(sample, "utf8")) as Guestbook;
    await first.client.create({ ...created, metadata: { ...created.metadata, namespace: "default" } });
    await eventually(
      () => isServed(first.client, 2),
      () => first.dev.output,
    );
    const kept = await first.client.get<Guestbook>(GUESTBOOK, KEY);
    expect(await first.dev.interrupt()).toBe(0);

    const second = await run();
    expect(second.dev.output).toContain(`objects      restored from ${folder}\n`);
    const { metadata, spec } = await second.client.get<Guestbook>(GUESTBOOK, KEY);
    expect({ uid: metadata.uid, spec }).toEqual({ uid: kept.metadata.uid, spec: kept.spec });
    await second.client.update({ ...kept, metadata, spec: { ...spec, size: 3 } });
    await eventually(
      () => isServed(second.client, 3),
      () => second.dev.output,
    );
    await second.dev.kill();

    const third = await run();
    expect((await isServed(third.client, 3))?.spec).toEqual({ ...spec, size: 3 });
    await third.client.delete(kept);
    await eventually(
      async () => ((await third.client.list(GUESTBOOK)).items.length === 0 ? true : undefined),
      () => third.dev.output,
    );
    expect(third.dev.output).not.toContain("is forbidden");
    expect(await third.dev.interrupt()).toBe(0);
  },
  LIVENESS_MS,
);

it(
  "scaffold dev serves a dashboard that shows what the manager does, and writes objects",
  async () => {
    const { project, dev } = startDevOnExample();
    await dev.waitForManager();
    const opened = await openPageOf(dev.output);
    const { origin, base, cookie } = opened;
    const page = await fetch(`${base}/`, { headers: { cookie } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect((await fetch(`${base}/`)).status).toBe(401);

    const sample = path.join(project.root, "config", "samples", "webapp_v1_guestbook.yaml");
    const applied = await fetch(`${base}/api/apply`, {
      method: "POST",
      headers: { cookie, origin, "content-type": "application/json", "x-kubescaffold-dashboard": "1" },
      body: JSON.stringify({ text: readFileSync(sample, "utf8"), isDryRun: false }),
    });
    expect(applied.status).toBe(200);

    const wanted = [
      /"type":"reconcile"[^}]*"outcome":"running"/u,
      /"verb":"patch","resource":"guestbooks\.webapp\.demo\/status"/u,
      /"type":"webhook"[^}]*"purpose":"mutate"/u,
      /"type":"controller"/u,
      /"type":"permission"[^}]*"state":"used"/u,
      /"type":"log"/u,
      /"type":"manager"[^}]*"state":"ready"/u,
    ];
    await streamUntil(opened, wanted);
    expect(await dev.interrupt()).toBe(0);
  },
  LIVENESS_MS,
);

it(
  "scaffold dev prints events as lines of JSON, and passes flags to the manager",
  async () => {
    const { project, dev } = startDevOnExample(["--output", "json", "--", "--zap-log-level=info"]);
    await dev.waitFor(/"event":"manager-ready"/);
    await dev.waitFor(/"source":"types","diagnostics":\[\]/);
    const file = path.join(project.root, TYPES);
    const correct = readFileSync(file, "utf8");
    writeFileSync(file, correct.replace("/**\n   * size is", "motto?: ;\n\n  /**\n   * size is"));
    await dev.waitFor(/"source":"generators","diagnostics":\[\{[^\n]*LOADER_SYNTAX/);
    await dev.waitFor(/"event":"error","code":"CLI_GENERATE_FAILED"/);
    writeFileSync(file, correct.replace("/**\n   * size is", "motto?: string;\n\n  /**\n   * size is"));
    await dev.waitFor(/"event":"manager-ready"/, 2);
    expect(await dev.interrupt()).toBe(0);
    const lines = dev.output.trimEnd().split("\n");
    const events = lines.map((line) => JSON.parse(line) as { readonly event: string; readonly level?: string });
    expect(events.map(({ event }) => event)).toEqual(
      expect.arrayContaining(["server-ready", "sources-changed", "manifests-generated", "manifests-applied", "log"]),
    );
    expect(events.filter(({ level }) => level === "debug")).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ event: "sources-changed", files: ["api/v1/guestbook_types.ts"] }),
    );
  },
  LIVENESS_MS,
);
