import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";

import { Environment } from "@kubescaffold/envtest";
import { createRestClient, type RestClient } from "@kubescaffold/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { lastingFolder } from "../../plugins/helm/test/lasting-folder.ts";
import { HELM, render } from "../../plugins/helm/test/rendering.ts";
import { type Manifest, nameOf } from "../../src/kustomize/manifest.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { type ProgramResult, runProgram } from "../support/run-program.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const EDIT = "edit --plugins=helm/v2-alpha";
const SECOND_API = "create api --group webapp --version v1 --kind Visitor --make=false";
const LIVENESS_MS = 300_000;
const NODE = { apiVersion: "v1", kind: "Node", metadata: { name: "node" } };
const IMAGE = `reg:5000/x@sha256:${"ab".repeat(32)}`;

describe("scenario 33: a chart that the user changed, made again for another API", () => {
  it("keeps what the user wrote, and has the further API", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, EDIT);
    const { "dist/chart/values.yaml": values = "", "dist/chart/Chart.yaml": about = "" } = readFiles(root);
    const changed = {
      "dist/chart/values.yaml": values.replace("replicas: 1", "replicas: 2 # mine"),
      "dist/chart/Chart.yaml": about.replace("version: 0.1.0", "version: 1.2.3"),
      "dist/chart/templates/extras/mine.yaml": "# mine\n",
    };
    writeFiles(root, changed);
    await runCommands(root, SECOND_API, EDIT);
    const files = readFiles(root);
    expect(files).toMatchObject(changed);
    expect(Object.keys(files).filter((file) => file.startsWith("dist/chart/") && file.includes("visitor"))).toEqual([
      "dist/chart/templates/crd/visitors.webapp.demo.yaml",
      "dist/chart/templates/rbac/visitor-admin-role.yaml",
      "dist/chart/templates/rbac/visitor-editor-role.yaml",
      "dist/chart/templates/rbac/visitor-viewer-role.yaml",
    ]);
    expect(files["dist/chart/templates/rbac/manager-role.yaml"]).toContain("visitors/status");
    expect((await runCommand(root, EDIT)).stdout).toContain("are up to date: nothing was changed");
  });

  it("has no more of an API that is deleted", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, EDIT);
    const before = readFiles(root);
    await runCommands(root, SECOND_API, EDIT, "delete api --group webapp --version v1 --kind Visitor", EDIT);
    const chart = (files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
      Object.entries(files).filter(([file]) => file.startsWith("dist/chart/"));
    expect(chart(readFiles(root))).toEqual(chart(before));
  });
});

// Helm keeps releases by a client that speaks protobuf, which the embedded server does not read.
const isReal = process.env["KUBESCAFFOLD_ENVTEST_BACKEND"] === "binaries";

// Every test goes on where the one before it stopped, as a user does.
describe.skipIf(HELM === undefined || !isReal)("scenario 33: a release on a server", { timeout: LIVENESS_MS }, () => {
  const environment = new Environment({ startTimeoutMs: LIVENESS_MS, workloads: true });
  const root = lastingFolder();
  let client: RestClient;
  const kubeconfig = path.join(root, "admin.kubeconfig");

  beforeAll(async () => {
    client = createRestClient(await environment.start());
    await client.request({ method: "POST", path: "/api/v1/nodes", body: NODE });
    await environment.writeKubeconfig(kubeconfig);
    await runCommands(root, INIT, CREATE_API, EDIT);
  }, LIVENESS_MS);
  afterAll(async () => {
    await client.close();
    await environment.stop();
  }, LIVENESS_MS);

  function helm(command: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
    return runProgram(process.execPath, ["hack/helm.mjs", command], {
      cwd: root,
      env: { HELM: HELM ?? "", KUBECONFIG: kubeconfig, HOME: root, ...env },
    });
  }

  async function succeeds(command: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { status, output } = await helm(command, env);
    expect({ status, output: status === 0 ? "" : output }).toEqual({ status: 0, output: "" });
    return output;
  }

  const DEPLOYMENT = "/apis/apps/v1/namespaces/guestbook-system/deployments/guestbook-controller-manager";

  function deployment(): Promise<Manifest & { readonly spec: { readonly replicas: number } }> {
    return client.request({ method: "GET", path: DEPLOYMENT });
  }

  it("is installed by `helm-deploy` with the image letter by letter, and no file of the project changes", async () => {
    const before = readFiles(root);
    await succeeds("deploy", { IMG: IMAGE });
    expect(await deployment()).toMatchObject({
      metadata: { labels: { "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/instance": "guestbook" } },
      spec: { replicas: 1, template: { spec: { containers: [{ name: "manager", image: IMAGE }] } } },
    });
    const after = Object.entries(readFiles(root)).filter(([file]) => file in before);
    expect(Object.fromEntries(after)).toEqual(before);
  });

  it("has the objects that the chart renders", async () => {
    const { objects } = await render(path.join(root, "dist/chart"), {
      release: "guestbook",
      namespace: "guestbook-system",
    });
    const { output } = await runProgram(
      HELM ?? "",
      ["get", "manifest", "guestbook", "--namespace", "guestbook-system"],
      {
        cwd: root,
        env: { KUBECONFIG: kubeconfig, HOME: root },
      },
    );
    for (const each of objects) expect(output).toContain(`name: ${nameOf(each)}`);
  });

  it("is upgraded with other values, shows its revisions, and goes back", async () => {
    await succeeds("deploy", {
      HELM_EXTRA_ARGS: '--set manager.replicas=3 --set-string "manager.pod.annotations.note=a b"',
    });
    expect(await deployment()).toMatchObject({
      spec: {
        replicas: 3,
        template: {
          metadata: { annotations: { note: "a b" } },
          spec: { containers: [{ image: "controller:latest" }] },
        },
      },
    });
    expect(await succeeds("status")).toContain("STATUS: deployed");
    expect(await succeeds("history")).toMatch(/^2\s.*deployed/mu);
    await succeeds("rollback");
    expect(await deployment()).toMatchObject({ spec: { replicas: 1 } });
  });

  it("leaves the definitions behind when it is uninstalled", async () => {
    await succeeds("uninstall");
    await expect(deployment()).rejects.toThrow("not found");
    const definition = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/guestbooks.webapp.demo";
    expect(await client.request({ method: "GET", path: definition })).toMatchObject({
      kind: "CustomResourceDefinition",
    });
  });
});

describe("scenario 60: an image by its digest, by Helm", () => {
  it.each([
    { image: IMAGE, repository: "reg:5000/x", tag: "", digest: `sha256:${"ab".repeat(32)}` },
    { image: "reg:5000/x:v1@sha256:ab", repository: "reg:5000/x", tag: "v1", digest: "sha256:ab" },
    { image: "reg:5000/x:v1", repository: "reg:5000/x", tag: "v1", digest: "" },
    { image: "reg:5000/x", repository: "reg:5000/x", tag: "latest", digest: "" },
    { image: "x:v1", repository: "x", tag: "v1", digest: "" },
  ])("takes $image apart for the chart", async ({ image, repository, tag, digest }) => {
    const root = temporaryFolder({
      "helm.mjs": "#!/usr/bin/env node\nconsole.log(process.argv.slice(2).join(' '));\n",
    });
    await runCommands(root, INIT, EDIT);
    const fake = path.join(root, "helm.mjs");
    chmodSync(fake, 0o755);
    const { output } = await runProgram(process.execPath, ["hack/helm.mjs", "deploy"], {
      cwd: root,
      env: { IMG: image, HELM: fake },
    });
    expect(output).toContain(
      `--set-string manager.image.repository=${repository} --set-string manager.image.tag=${tag} --set-string manager.image.digest=${digest} `,
    );
    expect(readFileSync(path.join(root, "dist/chart/values.yaml"), "utf8")).toContain("repository: controller\n");
  });
});
