import { existsSync } from "node:fs";
import path from "node:path";

import { readYaml, readYamlDocuments } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { MULTI_GROUP, NAMESPACED, SINGLE_GROUP } from "../../../support/go-projects.ts";
import { runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

type Files = Readonly<Record<string, string>>;

function folderWith(go: Files): string {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(go).map(([file, text]) => [`go/${file}`, text])));
  return root;
}

async function imported(go: Files): Promise<Files> {
  const root = folderWith(go);
  await runCommands(root, "import project go --output-dir ts --skip-install");
  return readFiles(path.join(root, "ts"));
}

// The notes of who generated them apart.
function objectsIn(text: string | undefined): readonly unknown[] {
  return (readYamlDocuments(text ?? "") as readonly { readonly metadata?: object }[]).map((document) => ({
    ...document,
    metadata: { ...document.metadata, annotations: undefined },
  }));
}

const isGenerated = (file: string): boolean =>
  file.startsWith("config/crd/bases/") || file === "config/rbac/role.yaml" || file === "config/webhook/manifests.yaml";

describe("import project", () => {
  it("takes over the comment at the top of sources, with the year that kubebuilder would put there", async () => {
    const made = await imported({ ...SINGLE_GROUP, "hack/boilerplate.go.txt": "/*\nCopyright YEAR Acme.\n*/\n" });
    expect(made["hack/boilerplate.ts.txt"]).toMatch(/^\/\*\nCopyright \d{4} Acme\.\n\*\//u);
    expect(made["cmd/main.ts"]).toMatch(/^\/\*\nCopyright \d{4} Acme\.\n\*\/\n\n/u);
  });
});

describe("--project-name of import project", () => {
  const LONG = "fleet-of-ships-with-a-name-of-50-characters-or-more";

  it("takes the place of a name that is too long", async () => {
    const root = folderWith({
      ...SINGLE_GROUP,
      PROJECT: (SINGLE_GROUP["PROJECT"] ?? "").replace(/^projectName: .*$/mu, `projectName: ${LONG}`),
    });
    const refused = await runCommand(root, "import project go --output-dir ts --skip-install");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("pass --project-name");
    await runCommands(root, "import project go --output-dir ts --skip-install --project-name ships");
    const made = readFiles(path.join(root, "ts"));
    expect(readYaml(made["PROJECT"] ?? "")).toMatchObject({ projectName: "ships" });
    expect(made["PROJECT"]).not.toContain(LONG);
  });
});

describe.each([
  ["of one group", SINGLE_GROUP],
  ["of several groups", MULTI_GROUP],
  ["of some namespaces", NAMESPACED],
])("import project %s", (_, go) => {
  it("generates the manifests of the Go project, object for object", async () => {
    const made = await imported(go);
    const manifests = Object.keys(go).filter((file) => isGenerated(file));
    expect(manifests.length).toBeGreaterThan(1);
    for (const file of manifests)
      expect({ file, objects: objectsIn(made[file]) }).toEqual({ file, objects: objectsIn(go[file]) });
    expect(Object.keys(made).filter((file) => isGenerated(file))).toEqual(manifests.toSorted());
  });

  it("makes a project in which generating changes nothing", async () => {
    const root = folderWith(go);
    await runCommands(root, "import project go --output-dir ts --skip-install");
    const before = readFiles(path.join(root, "ts"));
    await runCommands(path.join(root, "ts"), "manifests", "generate");
    expect(readFiles(path.join(root, "ts"))).toEqual(before);
  });
});

describe("import project", () => {
  it("keeps names, groups, versions, plurals, scopes, controllers and webhooks in PROJECT", async () => {
    const go = readYaml(SINGLE_GROUP["PROJECT"] ?? "") as Record<string, unknown>;
    const made = readYaml((await imported(SINGLE_GROUP))["PROJECT"] ?? "") as Record<string, unknown>;
    const [captain, second, admiral, issuer, pod] = go["resources"] as readonly Record<string, unknown>[];
    const { module: _, ...elsewhere } = issuer ?? {};
    expect(made).toMatchObject({
      domain: "sea.io",
      projectName: "fleet",
      repo: "fleet",
      layout: ["ts.kubescaffold.dev/v1"],
    });
    expect(made["resources"]).toEqual([
      { ...captain, path: "fleet/api/v1" },
      { ...second, path: "fleet/api/v2" },
      { ...admiral, path: "fleet/api/v1" },
      { ...elsewhere, path: "./api/cert-manager.io/v1/issuer_types.ts" },
      { ...pod, path: "@kubescaffold/k8s/core/v1" },
    ]);
  });

  it("puts permissions where the controllers of the kinds are, and the others into their own file", async () => {
    const made = await imported(SINGLE_GROUP);
    const own = (file: string): readonly string[] =>
      (made[file] ?? "").split("\n").filter((line) => line.includes(":rbac:"));
    const captains = own("internal/controller/captain_controller.ts");
    expect(captains).toEqual([
      "  // +kubebuilder:rbac:groups=crew.sea.io,resources=captains,verbs=create;delete;get;list;patch;update;watch",
      "  // +kubebuilder:rbac:groups=crew.sea.io,resources=captains/finalizers,verbs=update",
      "  // +kubebuilder:rbac:groups=crew.sea.io,resources=captains/status,verbs=get;patch;update",
    ]);
    expect(own("internal/controller/captain_backup_controller.ts")).toEqual(captains);
    expect(own("internal/controller/rbac_markers.ts")).toEqual([
      "// +kubebuilder:rbac:urls=/healthz,verbs=get",
      '// +kubebuilder:rbac:groups="",resources=pods,verbs=get;list;watch',
      '// +kubebuilder:rbac:groups="",resources=secrets,resourceNames=tokens,verbs=get',
      "// +kubebuilder:rbac:groups=apps;batch,resources=*,verbs=*",
    ]);
  });

  it("puts the markers of webhooks to their code, and says which webhook has none", async () => {
    const made = await imported(SINGLE_GROUP);
    expect(made["internal/webhook/v1/captain_webhook.ts"]).toMatch(
      /path=\/fill-in-captain,mutating=true,failurePolicy=fail,matchPolicy=Exact,reinvocationPolicy=IfNeeded,/u,
    );
    expect(made["internal/webhook/v1/captain_webhook.ts"]).toContain('.withDefaulterCustomPath("/fill-in-captain")');
    expect(made["internal/webhook/webhook_markers.ts"]).toContain("name=lost.kb.io");
    expect(made["MIGRATION.md"]).toMatch(/- webhook lost\.kb\.io: PROJECT has no entry for it/u);
  });

  it("takes over namespace, prefix and the parts that are switched on, and names what it cannot", async () => {
    const made = await imported(SINGLE_GROUP);
    const { resources, ...settings } = readYaml(made["config/default/kustomization.yaml"] ?? "") as Record<
      string,
      unknown
    >;
    expect(settings).toMatchObject({ namespace: "boats", namePrefix: "fleet-" });
    expect(resources).toEqual([
      "../crd",
      "../rbac",
      "../manager",
      "../webhook",
      "../certmanager",
      "../prometheus",
      "metrics_service.yaml",
      "../network-policy",
    ]);
    expect(made["MIGRATION.md"]).toContain(
      "config/default/kustomization.yaml: extra.yaml: the file has no such section",
    );
    expect(made["MIGRATION.md"]).toContain("config/default/kustomization.yaml: commonAnnotations:");
    expect(made["MIGRATION.md"]).toMatch(/were not imported\n\n(?:- .*\n)*- `config\/default\/extra\.yaml`\n/u);
  });

  it("names every key, plugin and module that it cannot map", async () => {
    const { "MIGRATION.md": page = "" } = await imported(SINGLE_GROUP);
    for (const what of [
      "PROJECT: future",
      "PROJECT: plugins grafana.kubebuilder.io/v1-alpha",
      "PROJECT: plugins acme.example/v1",
      "PROJECT: module github.com/cert-manager/cert-manager@v1.20.2",
      "Issuer v1 of cert-manager.io",
      "conversion of Captain v1 of crew.sea.io",
    ]) {
      expect(page).toContain(`- ${what}: `);
    }
  });

  it("omits the data of deploy-image, whose files are not written, and names the commands that write them", async () => {
    const entry = "group: crew, domain: sea.io, version: v1, kind: Captain";
    const options = '{image: "hull:1", containerCommand: "sail,-m=64", containerPort: "7000", runAsUser: ""}';
    const project = (SINGLE_GROUP["PROJECT"] ?? "").replace(
      "plugins:\n",
      `plugins:\n  deploy-image.go.kubebuilder.io/v1-alpha:\n    resources:\n    - {${entry}, options: ${options}}\n`,
    );
    const root = folderWith({ ...SINGLE_GROUP, PROJECT: project });
    await runCommands(root, "import project go --output-dir ts --skip-install");
    const made = readFiles(path.join(root, "ts"));
    expect(made["PROJECT"]).not.toContain("deploy-image");
    expect(made["MIGRATION.md"]).toContain(
      "`npx scaffold create api --group crew --version v1 --kind Captain --image='hull:1' --image-container-command='sail,-m=64' --image-container-port='7000' --plugins=deploy-image/v1-alpha --force`",
    );
    const { status, stdout } = await runCommand(path.join(root, "ts"), "doctor");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.not.stringContaining("error:") });
  });

  it("lists every file in Go with the file that it corresponds to", async () => {
    const { "MIGRATION.md": page = "" } = await imported(SINGLE_GROUP);
    for (const file of Object.keys(SINGLE_GROUP).filter((each) => each.endsWith(".go")))
      expect(page).toContain(`\`${file}\``);
    expect(page).toContain(
      "- [ ] `internal/controller/captain_controller_test.go` → `internal/controller/captain_controller.test.ts`",
    );
    expect(page).toContain("- [ ] `internal/rope/knot.go` → `internal/rope/knot.ts`");
    expect(page).toContain("- `api/v1/zz_generated.deepcopy.go`\n");
    expect(page).toContain("- `go.mod`\n");
  });

  it("keeps the lease, the license and the samples, and fills in what tests need", async () => {
    const made = await imported(SINGLE_GROUP);
    expect(made["cmd/main.ts"]).toContain('leaderElectionId: "0badcafe.sea.io"');
    expect(made["cmd/main.ts"]).toMatch(/^\/\*\nCopyright 2026 The boatmen\.\n\*\/\n/u);
    expect(made["config/samples/crew_v1_captain.yaml"]).toBe(SINGLE_GROUP["config/samples/crew_v1_captain.yaml"]);
    expect(made["internal/controller/captain_controller.test.ts"]).toContain("spec: { size: 3 }");
    expect(made["internal/controller/admiral_controller.test.ts"]).toContain("spec: { size: 1 }");
  });

  it("writes nothing on a dry run", async () => {
    const root = folderWith(SINGLE_GROUP);
    const { status, stdout, stderr } = await runCommand(
      root,
      "import project go --output-dir ts --skip-install --dry-run",
    );
    expect(status).toBe(0);
    expect(stdout).toContain("+++ b/PROJECT");
    expect(stderr).toMatch(/dry run: \d+ files would change/u);
    expect(existsSync(path.join(root, "ts"))).toBe(false);
  });

  it("says all of it as JSON", async () => {
    const { stdout } = await runCommand(
      folderWith(SINGLE_GROUP),
      "import project go --output-dir ts --skip-install --output json",
    );
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    expect(answer["scores"]).toEqual([
      { what: "CRD versions", same: 3, total: 3, differences: [] },
      { what: "RBAC rules", same: 10, total: 10, differences: [] },
      { what: "webhooks", same: 4, total: 4, differences: [] },
    ]);
    expect(answer["translations"]).toContainEqual({
      go: "internal/rope/knot.go",
      typescript: "internal/rope/knot.ts",
      state: "write",
    });
    expect(answer["notMapped"]).toContainEqual(expect.objectContaining({ what: "PROJECT: future" }));
  });

  it("counts a rule whose lists nobody sorted, since it grants the same", async () => {
    const role = (SINGLE_GROUP["config/rbac/role.yaml"] ?? "").replace("  - watch\n", "  - watch\n  - bow\n");
    const { stdout } = await runCommand(
      folderWith({ ...SINGLE_GROUP, "config/rbac/role.yaml": role }),
      "import project go --output-dir ts --skip-install",
    );
    expect(stdout).toContain("10 of 10 RBAC rules match the Go project");
  });

  it("says where manifests come out otherwise", async () => {
    const bosun = "- {api: {crdVersion: v1}, domain: sea.io, group: crew, kind: Bosun, version: v1}\n";
    const project = (SINGLE_GROUP["PROJECT"] ?? "").replace(/^version/mu, `${bosun}version`);
    const { stdout } = await runCommand(
      folderWith({ ...SINGLE_GROUP, PROJECT: project }),
      "import project go --output-dir ts --skip-install",
    );
    expect(stdout).toMatch(/Differences:\n {2}Bosun\.crew\.sea\.io: the Go project has no CRD of it\n/u);
  });

  it.each([
    ["no such folder", {}, "import project nowhere --output-dir ts --skip-install", "CLI_INPUT"],
    ["there is no PROJECT", { "go.mod": "" }, "import project go --output-dir ts --skip-install", "IMPORT_NO_PROJECT"],
    [
      "the layout is an older one",
      { PROJECT: 'layout: go.kubebuilder.io/v1\nversion: "3"\n' },
      "import project go --output-dir ts --skip-install",
      "IMPORT_LAYOUT",
    ],
    ["the folder is in use", SINGLE_GROUP, "import project go --output-dir go", "IMPORT_TARGET_IN_USE"],
    [
      "a definition is none",
      { ...SINGLE_GROUP, "config/crd/bases/a.yaml": "kind: CustomResourceDefinition\n" },
      "import project go --output-dir ts --skip-install",
      "IMPORT_INVALID_CRD",
    ],
    ["several are named", SINGLE_GROUP, "import project go more --output-dir ts --skip-install", "CLI_INPUT"],
  ])("writes nothing when %s", async (_, go, line, code) => {
    const root = folderWith(go);
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, line);
    expect(status).toBe(1);
    expect(stderr).toContain(`[${code}]`);
    expect(readFiles(root)).toEqual(before);
    expect(existsSync(path.join(root, "ts"))).toBe(false);
  });
});
