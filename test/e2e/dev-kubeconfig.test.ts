import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";

import type { KindInfo, ObjectHistory } from "@kubescaffold/dashboard";
import { Environment } from "@kubescaffold/envtest";
import { isNotFound } from "@kubescaffold/k8s";
import type { KubernetesObject } from "@kubescaffold/k8s/meta/v1";
import type { DiffLine } from "@kubescaffold/platform";
import {
  type Client,
  createClient,
  type KindRef,
  patch,
  readKubeconfigFile,
  writeKubeconfigFile,
} from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { type OpenedPage, openPageOf, streamUntil } from "./dashboard-stream.ts";
import { DevProcess, kubeconfigOf } from "./dev-process.ts";
import { eventually } from "./eventually.ts";
import { copyExample, PROGRAM, type ProjectCopy } from "./project-copy.ts";

const LIVENESS_MS = 300_000;
const GUESTBOOK = { group: "webapp.demo", version: "v1", kind: "Guestbook" };
const DEPLOYMENT = { group: "apps", version: "v1", kind: "Deployment" };
const DEFINITION = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
const VALIDATING = { group: "admissionregistration.k8s.io", version: "v1", kind: "ValidatingWebhookConfiguration" };
const CONFIGURATION = { name: "guestbook-validating-webhook-configuration" };
const KEY = { name: "guestbook-sample", namespace: "default" };

// A kind of others.
const WIDGETS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.things.demo" },
  spec: {
    group: "things.demo",
    scope: "Namespaced",
    names: { kind: "Widget", plural: "widgets" },
    versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
  },
} as KubernetesObject;

interface Guestbook extends KubernetesObject {
  readonly spec: { readonly size?: number; readonly image?: string };
}

interface Configuration extends KubernetesObject {
  readonly webhooks: readonly { readonly clientConfig: { readonly url?: string } }[];
}

// On the backend that KUBESCAFFOLD_ENVTEST_BACKEND names, the embedded one by default.
describe("scaffold dev --kubeconfig", { timeout: LIVENESS_MS }, () => {
  let environment: Environment;
  let project: ProjectCopy;
  let kubeconfig: string;
  let client: Client;
  let dev: DevProcess | undefined;
  let page: OpenedPage = { origin: "", base: "", cookie: "" };

  beforeAll(async () => {
    environment = new Environment();
    client = createClient(await environment.start());
    project = copyExample();
    kubeconfig = path.join(project.root, "cluster.kubeconfig");
    await environment.writeKubeconfig(kubeconfig);
    // The current context is one that does not work.
    const written = await readKubeconfigFile(kubeconfig);
    const [[name, context] = []] = [...written.contexts];
    if (name === undefined || context === undefined) throw new Error("the kubeconfig has no context");
    const contexts = new Map([
      ["test", context],
      ["wrong", { cluster: "none", user: "none" }],
    ]);
    await writeKubeconfigFile(kubeconfig, { ...written, contexts, currentContext: "wrong" });
  }, LIVENESS_MS);

  afterAll(async () => {
    await dev?.end();
    await environment?.stop();
    project?.remove();
  }, LIVENESS_MS);

  const run = async (args: readonly string[]): Promise<ProgramResult> =>
    await runProgram(process.execPath, [PROGRAM, "dev", ...args], { cwd: project.root });
  const target = (): readonly string[] => ["--kubeconfig", kubeconfig, "--context", "test"];
  const isAbsent = async (kind: KindRef, name: string): Promise<boolean> =>
    await client.get(kind, { name }).then(() => false, isNotFound);
  const SAMPLE: Guestbook = {
    apiVersion: "webapp.demo/v1",
    kind: "Guestbook",
    metadata: KEY,
    spec: { size: 2, image: "nginx:1.27" },
  };

  async function replicas(expected: number): Promise<void> {
    await eventually(
      async () => {
        const found = await client
          .get<KubernetesObject & { readonly spec: { readonly replicas?: number } }>(DEPLOYMENT, KEY)
          .catch(() => undefined);
        return found?.spec.replicas === expected ? true : undefined;
      },
      () => `a Deployment with ${String(expected)} replicas; the manager wrote:\n${dev?.output ?? ""}`,
    );
  }

  it("installs nothing without a confirmation", async () => {
    const { status, output } = await run(target());
    expect(status).toBe(1);
    expect(output).toContain("cannot install in a cluster without a confirmation [CLI_INVALID_FLAG]");
    expect(await isAbsent(DEFINITION, "guestbooks.webapp.demo")).toBe(true);
  });

  it.each([
    [["--context", "test"], "cannot use --context without --kubeconfig"],
    [["--yes"], "cannot use --yes without --kubeconfig"],
    [["--kubeconfig", "cluster.kubeconfig", "--keep"], "cannot use --keep with --kubeconfig"],
    [["--kubeconfig", "cluster.kubeconfig", "--context", "nope"], "nope"],
    [["--kubeconfig", "missing.kubeconfig"], "missing.kubeconfig"],
    [
      ["--kubeconfig", "cluster.kubeconfig", "--context", "test", "--webhook-url", "http://example.com"],
      "it is not an HTTPS address [ENVTEST_WEBHOOK_URL]",
    ],
  ])("refuses %j", async (args, message) => {
    const { status, output } = await run(args);
    expect(status).toBe(1);
    expect(output).toContain(message);
  });

  it("runs the manager without webhooks, and says so", async () => {
    dev = new DevProcess(project.root, [...target(), "--yes"]);
    await dev.waitFor(/starting workers/u);
    expect(dev.output).toContain("The webhooks are not installed");
    expect(dev.output).toContain("Pods         those of the cluster");
    expect(statSync(kubeconfigOf(project.root)).mode & 0o077).toBe(0);
    await client.create(SAMPLE);
    await replicas(2);
    expect(await isAbsent(VALIDATING, CONFIGURATION.name)).toBe(true);
    expect(dev.output).not.toContain("serving webhook server");
  });

  it("serves a dashboard of the cluster and the manager, with history, permissions, and an editor", async () => {
    page = await openPageOf(dev?.output ?? "");
    const text = await streamUntil(page, [
      /"type":"object"[^}]*"kind":"Guestbook"/u,
      /"type":"object"[^}]*"kind":"Deployment"/u,
      /"type":"reconcile"[^}]*"controller":"guestbook"/u,
      /"type":"manager"[^}]*"state":"ready"/u,
      // The manager has the permissions of the user: its role decides what is used, and what is missing.
      /"type":"permission","verb":"create","group":"apps","resource":"deployments","namespace":"","state":"used"/u,
      /"type":"permission","verb":"watch","group":"webapp.demo","resource":"guestbooks","namespace":"","state":"used"/u,
    ]);
    expect(/"type":"hello"[^\]]*\]/u.exec(text)?.[0]).toContain(
      '"mode":"connected","capabilities":["write","history","reconciles","webhooks","permissions","logs","restart"]',
    );
    const { base, cookie } = page;
    const object = `${base}/api/object?apiVersion=webapp.demo/v1&resource=guestbooks&namespace=default&name=${KEY.name}`;
    expect(await (await fetch(object, { headers: { cookie } })).text()).toContain("nginx:1.27");
    const kinds = (await (await fetch(`${base}/api/kinds`, { headers: { cookie } })).json()) as readonly KindInfo[];
    expect(kinds[0]).toMatchObject({
      kind: "Guestbook",
      isOfProject: true,
      schema: { properties: { spec: {} } },
      samples: [{ file: "webapp_v1_guestbook.yaml" }],
    });
    expect(kinds.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["ConfigMap", "Deployment"]));
    const apply = async (spec: object, isDryRun: boolean): Promise<Response> =>
      await fetch(`${base}/api/apply`, {
        method: "POST",
        headers: { cookie, origin: page.origin, "content-type": "application/json", "x-kubescaffold-dashboard": "1" },
        body: JSON.stringify({ text: JSON.stringify({ ...SAMPLE, spec }), isDryRun }),
      });
    const refused = await apply({ size: 100 }, true);
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ kind: "refused", causes: [{ field: "spec.size" }] });
    expect((await apply({ size: 3 }, false)).status).toBe(200);
    await replicas(3);
    const { metadata } = await client.get(DEPLOYMENT, KEY);
    const versionsOf = async (): Promise<ObjectHistory["versions"]> => {
      const history = await fetch(`${base}/api/history?uid=${metadata.uid}`, { headers: { cookie } });
      return ((await history.json()) as ObjectHistory).versions;
    };
    const isResize = ({ kind, text: line }: DiffLine): boolean => kind === "added" && line === "  replicas: 3";
    // The manager reports its writes shortly after the watch delivers them.
    const resized = await eventually(
      async () =>
        (await versionsOf()).find(({ diff, controller }) => controller === "guestbook" && diff.some(isResize)),
      () => "a version of the Deployment with 3 replicas that the controller wrote",
    );
    expect(resized).toMatchObject({ verb: "update", subresource: "" });
    expect((await versionsOf())[0]).toMatchObject({ verb: "create", controller: "guestbook" });
  });

  it("shows a permission that the role lacks, although the user has it", async () => {
    const file = path.join(project.root, "internal/controller/guestbook_controller.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace("resources=services,verbs=get;list;watch;create;update;", "resources=services,verbs=get;"),
    );
    await dev?.waitFor(/starting workers/u, 2);
    const missing =
      /"verb":"watch","group":"","resource":"services","namespace":"","state":"missing","allowed":1,"denied":0,"marker":"[^}]*resources=services,verbs=get;list;watch"/u;
    await expect(streamUntil(page, [missing])).resolves.toMatch(missing);
    writeFileSync(file, text);
    await dev?.waitFor(/starting workers/u, 3);
  });

  it("installs changed CRDs, and restarts the manager", async () => {
    const file = path.join(project.root, "api/v1/guestbook_types.ts");
    writeFileSync(file, readFileSync(file, "utf8").replace("Maximum=10\n", "Maximum=12\n"));
    await dev?.waitFor(/starting workers/u, 4);
    const found = await client.get<Guestbook>(GUESTBOOK, KEY);
    await client.patch({ ...found, spec: { ...found.spec, size: 12 } }, patch.mergeFrom(found));
    await expect(replicas(12)).resolves.toBeUndefined();
  });

  it("shows objects of a kind that the roles name later, and whose CRD is installed later still", async () => {
    const file = path.join(project.root, "internal/controller/guestbook_controller.ts");
    const marker = "  // +kubebuilder:rbac:groups=things.demo,resources=widgets,verbs=get;list;watch\n";
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace(/^ {2}\/\/ \+kubebuilder:rbac:groups=apps/mu, `${marker}$&`));
    await dev?.waitFor(/starting workers/u, 5);
    await client.create(WIDGETS);
    const { metadata: owner } = await client.get<Guestbook>(GUESTBOOK, KEY);
    const reference = { apiVersion: SAMPLE.apiVersion, kind: SAMPLE.kind, name: owner.name, uid: owner.uid };
    const metadata = { name: "late", namespace: "default", ownerReferences: [reference] };
    const widget = { apiVersion: "things.demo/v1", kind: "Widget", metadata } as KubernetesObject;
    await eventually(
      async () =>
        await client.create(widget).then(
          () => true,
          () => undefined,
        ),
      () => "a Widget",
    );
    const shown = /"type":"object"[^}]*"kind":"Widget"/u;
    await expect(streamUntil(page, [shown])).resolves.toMatch(shown);
    const response = await fetch(`${page.base}/api/kinds`, { headers: { cookie: page.cookie } });
    expect(((await response.json()) as readonly KindInfo[]).map(({ kind }) => kind)).toContain("Widget");
  });

  it("leaves everything in the cluster when it stops", async () => {
    expect(await dev?.interrupt()).toBe(0);
    expect(await isAbsent(DEFINITION, "guestbooks.webapp.demo")).toBe(false);
    await replicas(12);
  });

  it("installs webhooks that the cluster reaches at a URL, and deletes them with --clean-up", async () => {
    const url = `https://127.0.0.1:${String(await freePort())}`;
    dev = new DevProcess(project.root, [...target(), "--yes", "--webhook-url", url, "--clean-up"]);
    await dev.waitForManager();
    const { webhooks } = await client.get<Configuration>(VALIDATING, CONFIGURATION);
    expect(webhooks.map(({ clientConfig }) => clientConfig.url)).toEqual([`${url}/validate-webapp-demo-v1-guestbook`]);
    const found = await client.get<Guestbook>(GUESTBOOK, KEY);
    const changed = { ...found, spec: { ...found.spec, image: "nginx:latest" } };
    await expect(client.patch(changed, patch.mergeFrom(found))).rejects.toThrow("vguestbook-v1.kb.io");
    expect(await dev.interrupt()).toBe(0);
    expect(await isAbsent(VALIDATING, CONFIGURATION.name)).toBe(true);
    expect(await isAbsent(DEFINITION, "guestbooks.webapp.demo")).toBe(false);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as { readonly port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
