import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import {
  COMPONENTS,
  LAYOUT_2,
  LAYOUT_3,
  LAYOUT_3_MULTIGROUP,
  LAYOUT_4,
  OPERATOR_SDK,
  VERSION_2,
} from "../support/go-layouts.ts";
import { runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

async function imported(go: Files): Promise<Files> {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`fleet/${file}`, text])));
  await runCommands(root, "import project fleet --output-dir ts --skip-install");
  return readFiles(path.join(root, "ts"));
}

describe.each([
  ["PROJECT version 2", VERSION_2],
  ["go.kubebuilder.io/v2", LAYOUT_2],
  ["go.kubebuilder.io/v3", LAYOUT_3],
  ["go.kubebuilder.io/v3-alpha with several groups", LAYOUT_3_MULTIGROUP],
  ["go.kubebuilder.io/v3 with manifests in config/components", COMPONENTS],
  ["go.kubebuilder.io/v4", LAYOUT_4],
  ["go.kubebuilder.io/v4 of operator-sdk", OPERATOR_SDK],
])("import project of %s", (_, go) => {
  it("records the resources, matches the manifests, and keeps the leader election id", async () => {
    const made = await imported(go);
    const project = readYaml(made["PROJECT"] ?? "") as Record<string, unknown>;
    const types = project["multigroup"] === true ? "fleet/api/crew/v1" : "fleet/api/v1";
    const common = { domain: "sea.io", group: "crew", path: types, version: "v1" };
    expect(project).toMatchObject({ domain: "sea.io", layout: ["ts.kubescaffold.dev/v1"], version: "3" });
    expect(project["resources"]).toEqual([
      {
        ...common,
        api: { crdVersion: "v1", namespaced: true },
        controller: true,
        kind: "Captain",
        webhooks: { defaulting: true, webhookVersion: "v1" },
      },
      { ...common, api: { crdVersion: "v1" }, kind: "Harbor", plural: "harbours" },
    ]);
    const page = made["MIGRATION.md"] ?? "";
    expect(page).toContain("- 2 of 2 CRD versions match the Go project\n");
    expect(page).toContain("- 3 of 3 RBAC rules match the Go project\n");
    expect(page).toContain("- 1 of 1 webhooks match the Go project\n");
    expect(page).toMatch(/^- leader election id 0badcafe\.sea\.io: `/mu);
    expect(made["cmd/main.ts"]).toContain('leaderElectionId: "0badcafe.sea.io"');
  });

  it("maps controllers, webhooks, and types to files that exist", async () => {
    const { "MIGRATION.md": page = "", ...made } = await imported(go);
    for (const file of Object.keys(go).filter((each) => /(?:_types|_controller|_webhook|main)\.go$/u.test(each))) {
      const mapped = page.split("\n").find((line) => line.startsWith(`- [ ] \`${file}\` → `)) ?? "";
      const typescript = /→ `(?<file>[^`]+)`/u.exec(mapped)?.groups?.["file"] ?? `nothing for ${file}`;
      expect(Object.keys(made)).toContain(typescript);
    }
  });
});

describe("import project with a domain that PROJECT does not have", () => {
  it.each([
    ["version 2", VERSION_2, "domain: sea.io", "domain: crew.sea.io"],
    ["version 3", LAYOUT_4, /domain: sea\.io/gu, "domain: crew.sea.io"],
  ])("takes the domain of the CRD: PROJECT %s", async (_, go, from, to) => {
    const made = await imported({ ...go, PROJECT: (go["PROJECT"] ?? "").replace(from, to) });
    const project = readYaml(made["PROJECT"] ?? "") as Record<string, unknown>;
    expect(project["resources"]).toMatchObject([
      { kind: "Captain", group: "crew", domain: "sea.io" },
      { kind: "Harbor", group: "crew", domain: "sea.io" },
    ]);
    expect(Object.keys(made).filter((file) => file.startsWith("config/crd/bases/"))).toEqual([
      "config/crd/bases/crew.sea.io_captains.yaml",
      "config/crd/bases/crew.sea.io_harbours.yaml",
    ]);
    expect(made["MIGRATION.md"]).toContain(
      "- domain sea.io of Captain v1: `config/crd/bases/crew.sea.io_captains.yaml`",
    );
  });
});

describe("import project with webhooks that share a handler", () => {
  it("generates all of them", async () => {
    const file = "config/webhook/manifests.yaml";
    const manifest = LAYOUT_4[file] ?? "";
    const entry = manifest.slice(manifest.indexOf("- admissionReviewVersions"));
    const made = await imported({ ...LAYOUT_4, [file]: manifest + entry.replace("mcaptain.kb.io", "second.kb.io") });
    expect(made["MIGRATION.md"]).toContain("- 2 of 2 webhooks match the Go project\n");
  });
});

describe("MIGRATION.md of an older layout", () => {
  it("lists the files that completed PROJECT version 2", async () => {
    const { "MIGRATION.md": page = "" } = await imported(VERSION_2);
    for (const line of [
      "- layout version 2: `PROJECT`",
      "- CRDs: `config/crd/bases/`",
      "- scope and plural of Harbor v1: `config/crd/bases/crew.sea.io_harbors.yaml`",
      "- controller of Captain v1: `controllers/captain_controller.go`",
      "- webhooks of Captain v1: `api/v1/captain_webhook.go`",
      "- leader election id 0badcafe.sea.io: `main.go`",
    ])
      expect(page).toContain(`${line}\n`);
  });

  it("explains what replaces kube-rbac-proxy and the component config", async () => {
    const { "MIGRATION.md": page = "", ...made } = await imported(LAYOUT_3);
    expect(page).toContain("- PROJECT: componentConfig: ");
    expect(page).toContain("- kube-rbac-proxy (config/default/manager_auth_proxy_patch.yaml and 1 more): ");
    expect(page).toContain("- component config (config/manager/controller_manager_config.yaml): ");
    expect(page).toContain("leader election id 0badcafe.sea.io: `config/manager/controller_manager_config.yaml`");
    expect(page).not.toContain("config/default/kustomization.yaml: ");
    expect(readYaml(made["config/default/kustomization.yaml"] ?? "")).toMatchObject({
      namespace: "fleet-system",
      resources: expect.arrayContaining(["../webhook", "../certmanager", "metrics_service.yaml"]) as unknown,
      patches: expect.arrayContaining([expect.objectContaining({ path: "manager_webhook_patch.yaml" })]) as unknown,
    });
  });

  it("reports the plugins and the bundle of operator-sdk, and does not record the plugins", async () => {
    const { "MIGRATION.md": page = "", PROJECT: project = "" } = await imported(OPERATOR_SDK);
    for (const key of ["manifests", "scorecard"])
      expect(page).toContain(`- PROJECT: plugins ${key}.sdk.operatorframework.io/v2: a plugin of operator-sdk`);
    expect(page).toMatch(/^- OLM bundle \(bundle\/metadata\/annotations\.yaml and 2 more\): /mu);
    expect(project).not.toContain("operatorframework");
  });
});

describe("import project of a layout that is not accepted", () => {
  it.each(["ansible.sdk.operatorframework.io/v1", "helm.sdk.operatorframework.io/v1", "go.kubebuilder.io/v5"])(
    "names the accepted layouts: %s",
    async (layout) => {
      const root = temporaryFolder();
      writeFiles(root, { "go/PROJECT": `layout:\n- ${layout}\nversion: "3"\n` });
      const { status, stderr } = await runCommand(root, "import project go --output-dir ts --skip-install");
      expect(status).toBe(1);
      expect(stderr).toContain("[IMPORT_LAYOUT]");
      expect(stderr).toContain("go.kubebuilder.io/v2, go.kubebuilder.io/v3, go.kubebuilder.io/v4");
    },
  );
});
