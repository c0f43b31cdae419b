import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { Pod } from "@kubescaffold/k8s/core/v1";
import { createClient, type LiveClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { eventually } from "../e2e/eventually.ts";
import { AdmissionStream } from "./admission-stream.ts";
import { readyManagers } from "./manager-pods.ts";
import { CLUSTER, kubectl, newNodeProject, nodeCluster, type NodeProject, tryKubectl } from "./node-project.ts";

const LIVENESS_MS = 400_000;
const NAMESPACE = "fresh-system";
const IMAGE = "example.com/fresh:v1";
const KIND = "--group webapp --version v1 --kind Guestbook";
const COMMANDS = [
  "init --domain demo --project-name fresh --skip-install --certificates self-managed",
  `create api ${KIND} --resource --controller --make=false`,
  `create webhook ${KIND} --defaulting --programmatic-validation --make=false`,
];
const WEBHOOKS = [
  ["// TODO(user): set the defaults.", 'guestbook.spec.foo ??= "defaulted";'],
  ["// TODO(user): validate the creation.", 'if (guestbook.spec.foo === "bad") throw new Error("spec.foo is bad");'],
] as const;
const ANSWERS = [{ spec: { foo: "defaulted" } }, expect.stringContaining("spec.foo is bad")];

// Every test goes on where the one before it stopped, as a user does.
describe.skipIf(CLUSTER === undefined)("a new project with webhooks on a real node", { timeout: LIVENESS_MS }, () => {
  let project: NodeProject;
  let client: LiveClient;

  beforeAll(async () => {
    client = createClient(nodeCluster().config);
    project = newNodeProject();
    for (const each of COMMANDS) await project.scaffold(each);
    const file = path.join(project.root, "internal", "webhook", "v1", "guestbook_webhook.ts");
    let text = readFileSync(file, "utf8");
    for (const [todo, code] of WEBHOOKS) text = text.replace(todo, code);
    writeFileSync(file, text);
    for (const each of ["manifests", "generate"]) await project.scaffold(each);
    await project.buildImage(IMAGE);
  }, LIVENESS_MS);

  afterAll(() => project?.remove());

  // The server learns of the endpoints of ready Pods a little later.
  async function servedWebhooks(replicas: number): Promise<readonly Pod[]> {
    const pods = await readyManagers(client, NAMESPACE, replicas);
    await eventually(
      async () => ((await answers()).some((each) => String(each).includes("no endpoints")) ? undefined : true),
      () => "endpoints of the webhooks",
    );
    return pods;
  }

  /** Returns how the webhooks answer an object without a field, and with one that they refuse. */
  async function answers(): Promise<readonly unknown[]> {
    const admit = async (spec: { readonly foo?: string }): Promise<unknown> =>
      await client.create(
        {
          apiVersion: "webapp.demo/v1",
          kind: "Guestbook",
          metadata: { generateName: "guestbook-", namespace: "default" },
          spec,
        } as never,
        { dryRun: true },
      );
    return await Promise.all([{}, { foo: "bad" }].map(async (spec) => await admit(spec).catch(String)));
  }

  it("is deployed with nothing else installed", async () => {
    expect(await kubectl("api-resources", "--output=name")).not.toContain("cert-manager.io");
    await project.scaffold(`deploy --image ${IMAGE}`);
    await servedWebhooks(1);
    expect(await answers()).toMatchObject(ANSWERS);
    const { items } = await client.list(Pod);
    // Samples of other tests may end meanwhile.
    expect(new Set(items.map(({ metadata }) => metadata.namespace).filter((each) => each !== "default"))).toEqual(
      new Set([NAMESPACE]),
    );
    await project.scaffold("undeploy --delete-crds");
  });

  it("is installed by its chart", async () => {
    await project.scaffold("edit --plugins=helm/v2-alpha");
    await helm("deploy");
    await servedWebhooks(1);
    expect(await answers()).toMatchObject(ANSWERS);
  });

  it("is upgraded by its chart without a refused admission", async () => {
    const [former] = await readyManagers(client, NAMESPACE, 1);
    const stream = new AdmissionStream(client);
    await helm("deploy", "--set manager.replicas=2 --set-string manager.pod.annotations.changed=true");
    const pods = await servedWebhooks(2);
    expect(pods.map(({ metadata }) => metadata.uid)).not.toContain(former?.metadata.uid);
    const { refused, admitted } = await stream.stop();
    expect(refused).toEqual([]);
    expect(admitted).toBeGreaterThan(20);
    expect(await answers()).toMatchObject(ANSWERS);
  });

  it("is uninstalled by its chart", async () => {
    await helm("uninstall");
    await kubectl("delete", "namespace", NAMESPACE, "--timeout=120s");
    await kubectl("delete", "crd", "guestbooks.webapp.demo");
    expect((await tryKubectl("get", "validatingwebhookconfigurations", "--output=name")).output).not.toContain("fresh");
  });

  async function helm(command: string, values = ""): Promise<void> {
    await project.node(["hack/helm.mjs", command], { IMG: IMAGE, HELM_EXTRA_ARGS: values });
  }
});
