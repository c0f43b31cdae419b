// What kustomizations of Go projects set beside config/default, minimized from projects of others.
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { buildKustomization } from "../../../src/kustomize/build.ts";
import { type Manifest, nameOf, namespaceOf } from "../../../src/kustomize/manifest.ts";
import { LAYOUT_4 } from "../../support/go-layouts.ts";
import { runCommands } from "../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

async function imported(changes: Files): Promise<Files> {
  const root = temporaryFolder();
  const go = { ...LAYOUT_4, ...changes };
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`fleet/${file}`, text])));
  await runCommands(root, "import project fleet --output-dir ts --skip-install");
  return readFiles(path.join(root, "ts"));
}

const builtFrom = (files: Files): readonly Manifest[] => buildKustomization((file) => files[file], "config/default");

const BASE = `resources:
- ../crd
- ../rbac
- ../manager
- ../webhook
- ../certmanager
patches:
- path: manager_webhook_patch.yaml
  target:
    kind: Deployment
`;

const replacementsWith = (prefix: string): string =>
  ["name", "namespace"]
    .map(
      (
        field,
        index,
      ) => `- source: {kind: Service, version: v1, name: ${prefix}webhook-service, fieldPath: .metadata.${field}}
  targets:
  - select: {kind: Certificate, group: cert-manager.io, version: v1, name: ${prefix}serving-cert}
    fieldPaths: [.spec.dnsNames.0, .spec.dnsNames.1]
    options: {delimiter: ".", index: ${index}, create: true}
`,
    )
    .join("");

describe("an imported project", () => {
  it("has the prefix that the folder of the webhooks gives to names, and the replacements that repeat it", async () => {
    const made = await imported({
      "config/default/kustomization.yaml": `namespace: boats\n${BASE}replacements:\n${replacementsWith("sea-")}`,
      "config/webhook/kustomization.yaml": "resources:\n- manifests.yaml\n- service.yaml\nnamePrefix: sea-\n",
      "config/webhook/service.yaml":
        "apiVersion: v1\nkind: Service\nmetadata: {name: webhook-service, namespace: system}\n",
      "config/certmanager/kustomization.yaml": "resources: []\nnamePrefix: sea-\n",
    });
    const built = builtFrom(made);
    const [webhooks] = built.filter(({ kind }) => kind === "MutatingWebhookConfiguration");
    expect(webhooks).toMatchObject({
      metadata: { name: "sea-mutating-webhook-configuration" },
      webhooks: [{ clientConfig: { service: { name: "sea-webhook-service", namespace: "boats" } } }],
    });
    expect(built.find((each) => each.kind === "Certificate" && nameOf(each) === "serving-cert")).toMatchObject({
      spec: { dnsNames: ["sea-webhook-service.boats.svc", "sea-webhook-service.boats.svc.cluster.local"] },
    });
    expect(made["MIGRATION.md"]).not.toContain("of Service sea-webhook-service");
  });

  it("has the namespace that its folders agree on if config/default sets none", async () => {
    const made = await imported({
      "config/default/kustomization.yaml": BASE,
      "config/manager/kustomization.yaml": "namespace: boats\nresources:\n- manager.yaml\n",
      "config/rbac/kustomization.yaml": "namespace: boats\nresources:\n- role.yaml\n",
    });
    const [deployment] = builtFrom(made).filter(({ kind }) => kind === "Deployment");
    expect(deployment === undefined ? "" : namespaceOf(deployment)).toBe("boats");
  });

  it("sets no namespace if its folders have several", async () => {
    const made = await imported({
      "config/default/kustomization.yaml": BASE,
      "config/manager/kustomization.yaml": "namespace: boats\nresources:\n- manager.yaml\n",
      "config/rbac/kustomization.yaml": "namespace: ships\nresources:\n- role.yaml\n",
    });
    expect(readYaml(made["config/default/kustomization.yaml"] ?? "")).not.toMatchObject({
      namespace: expect.anything() as unknown,
    });
  });

  it("has as many managers", async () => {
    const made = await imported({
      "config/manager/manager.yaml":
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: m}\nspec: {replicas: 2}\n",
    });
    const [deployment] = builtFrom(made).filter(({ kind }) => kind === "Deployment");
    expect(deployment).toMatchObject({ spec: { replicas: 2 } });
  });

  it("patches its CRDs, except for what the scaffold patches", async () => {
    const target = "  target: {kind: CustomResourceDefinition, name: captains.crew.sea.io}\n";
    const shortened = "- {op: add, path: /spec/names/shortNames, value: [cpt]}\n";
    const made = await imported({
      "config/crd/kustomization.yaml": `resources:\n- bases/crew.sea.io_captains.yaml\npatches:\n- path: patches/short.yaml\n${target}- patch: '[{op: add, path: /metadata/labels, value: {team: boats}}]'\n${target}- path: patches/cainjection_in_captains.yaml\n- path: patches/missing.yaml\n`,
      "config/crd/patches/short.yaml": shortened,
      "config/crd/patches/cainjection_in_captains.yaml": "kind: CustomResourceDefinition\n",
    });
    expect(made["config/crd/patches/short.yaml"]).toBe(shortened);
    const captains = builtFrom(made).find((each) => nameOf(each) === "captains.crew.sea.io");
    expect(captains).toMatchObject({
      metadata: { labels: { team: "boats" } },
      spec: { names: { shortNames: ["cpt"] } },
    });
    expect(made["MIGRATION.md"]).toContain(
      "- config/crd/kustomization.yaml: the patch patches/missing.yaml: the Go project has no such file\n",
    );
    expect(made["MIGRATION.md"]).not.toContain("cainjection_in_captains.yaml: the Go project has no such file");
  });

  it("does not have another number of managers for a text", async () => {
    const made = await imported({
      "config/manager/manager.yaml":
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: m}\nspec: {replicas: many}\n",
    });
    const [deployment] = builtFrom(made).filter(({ kind }) => kind === "Deployment");
    expect(deployment).toMatchObject({ spec: { replicas: 1 } });
  });
});
