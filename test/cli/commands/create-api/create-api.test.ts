import { format } from "oxfmt";
import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

describe("create api", () => {
  it("tells of each file once: what it changed is not kept", async () => {
    const root = await project(CREATE_API);
    const { stdout } = await runCommand(root, "create api --group webapp --version v1 --kind Other --make=false");
    const told = stdout
      .split("\n")
      .flatMap((line) => /^(?:created|changed|kept) +(?<path>\S+)$/u.exec(line)?.groups?.["path"] ?? []);
    expect(told).toContain("config/crd/kustomization.yaml");
    expect(told).toEqual([...new Set(told)]);
  });

  it("writes the types, a controller with its test, roles, a sample, and registers them", async () => {
    const root = await project();
    const before = readFiles(root);
    await runCommands(root, CREATE_API);
    const after = readFiles(root);
    expect(Object.keys(after).filter((name) => !(name in before))).toEqual([
      "api/v1/groupversion_info.ts",
      "api/v1/guestbook_types.ts",
      "config/crd/kustomization.yaml",
      "config/crd/kustomizeconfig.yaml",
      "config/rbac/guestbook_admin_role.yaml",
      "config/rbac/guestbook_editor_role.yaml",
      "config/rbac/guestbook_viewer_role.yaml",
      "config/samples/kustomization.yaml",
      "config/samples/webapp_v1_guestbook.yaml",
      "internal/controller/guestbook_controller.test.ts",
      "internal/controller/guestbook_controller.ts",
      "internal/controller/suite.ts",
    ]);
    expect(after["cmd/main.ts"]).toContain(
      'import { GuestbookReconciler } from "../internal/controller/guestbook_controller.ts";\n// +kubebuilder:scaffold:imports',
    );
    expect(after["cmd/main.ts"]).toContain(
      "  await new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr);\n  // +kubebuilder:scaffold:builder",
    );
    expect(after["config/default/kustomization.yaml"]).toContain("\n- ../crd\n");
    expect(after["config/crd/kustomization.yaml"]).toContain("- bases/webapp.demo_guestbooks.yaml\n");
    expect(listFolders(root)).not.toContain(".kubescaffold");
  });

  it("writes a cluster-scoped kind with an irregular plural, which later commands use again", async () => {
    const root = await project(
      "create api --group crew --version v1 --kind Admiral --plural admirales --namespaced=false --make=false --controller=false",
    );
    const files = readFiles(root);
    expect(files["api/v1/admiral_types.ts"]).toContain("+kubebuilder:resource:path=admirales,scope=Cluster\n");
    expect(files["PROJECT"]).toContain("  plural: admirales\n");
    await runCommands(
      root,
      "create api --group crew --version v1 --kind Admiral --resource=false --controller --make=false",
    );
    expect(readFiles(root)["internal/controller/admiral_controller.ts"]).toContain("resources=admirales/status");
  });

  it("writes a controller alone for a kind of Kubernetes", async () => {
    const root = await project(
      "create api --group apps --version v1 --kind Deployment --resource=false --controller --make=false",
    );
    const files = readFiles(root);
    expect(files["internal/controller/deployment_controller.ts"]).toContain(
      'import { Deployment } from "@kubescaffold/k8s/apps/v1";',
    );
    expect(files["internal/controller/deployment_controller.ts"]).toContain(
      "groups=apps,resources=deployments/finalizers,verbs=update",
    );
    expect(Object.keys(files).filter((name) => /^api\/|samples|crd/u.test(name))).toEqual([]);
    await runCommands(
      root,
      "create api --group core --version v1 --kind Pod --resource=false --controller --make=false",
    );
    expect(readFiles(root)["internal/controller/pod_controller.ts"]).toContain(
      '+kubebuilder:rbac:groups="",resources=pods,',
    );
  });

  it("writes the same shared suite whether or not the project has its own types by then", async () => {
    const core = "create api --group apps --version v1 --kind Deployment --resource=false --make=false";
    const own = "create api --group crew --version v1 --kind Captain --make=false";
    const suites = [await project(core), await project(core, own), await project(own, core)].map(
      (root) => readFiles(root)["internal/controller/suite.ts"],
    );
    expect(suites).toEqual([suites[0], suites[0], suites[0]]);
    expect(suites[0]).toContain("startTestEnvironment({ configDirectory, ...options })");
  });

  it.each([20, 38, 46, 59])("defines a kind whose name has %d letters as the formatter has it", async (length) => {
    const kind = `K${"i".repeat(length - 1)}`;
    const root = await project(`create api --group crew --version v1 --kind ${kind} --make=false`);
    const types = readFiles(root)[`api/v1/${kind.toLowerCase()}_types.ts`] ?? "";
    expect(types).toContain(`export const ${kind}: Kind<${kind}> =`);
    expect((await format("types.ts", types, { printWidth: 120 })).code).toBe(types);
  });

  it("adds a second version of a kind without a second controller", async () => {
    const root = await project(CREATE_API, "create api --group webapp --version v2 --kind Guestbook --make=false");
    const files = readFiles(root);
    expect(files["PROJECT"]?.match(/controller: true/gu)).toHaveLength(1);
    expect(files["config/crd/kustomization.yaml"]?.match(/bases/gu)).toHaveLength(1);
    expect(files["api/v2/guestbook_types.ts"]).toBeDefined();
    expect(
      await runCommand(root, "create api --group webapp --version v3 --kind Guestbook --controller --make=false"),
    ).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        'cannot create controller "guestbook" for Guestbook v3: Guestbook v1 has a controller with this name',
      ),
    });
  });

  it("adds a second version that generates at once: the first one stays the storage version", async () => {
    const root = await project(CREATE_API.replace(" --make=false", ""));
    const { status, stdout } = await runCommand(root, CREATE_API.replace("v1", "v2").replace(" --make=false", ""));
    expect(status).toBe(0);
    expect(stdout).toContain(
      'v1 stays the storage version: "+kubebuilder:storageversion" was added to api/v1/guestbook_types.ts.',
    );
    expect(stdout).toContain(
      "scaffold create webhook --group webapp --version v1 --kind Guestbook --conversion --spoke v2    # converts between v1, the hub, and v2",
    );
    const stored =
      readFiles(root)["config/crd/bases/webapp.demo_guestbooks.yaml"]?.match(/name: v\d\n|^ {4}storage: .*\n/gmu);
    expect(stored).toEqual(["name: v1\n", "    storage: true\n", "name: v2\n", "    storage: false\n"]);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it("keeps the storage version of a kind whose types are overwritten", async () => {
    const root = await project(CREATE_API, CREATE_API.replace("v1", "v2"));
    await runCommands(root, `${CREATE_API} --force --yes`);
    const files = readFiles(root);
    expect(files["api/v1/guestbook_types.ts"]).toContain("+kubebuilder:storageversion");
    expect(files["api/v2/guestbook_types.ts"]).not.toContain("+kubebuilder:storageversion");
  });

  it("is refused for an API that exists; with --force it writes the same files again and registers nothing twice", async () => {
    const root = await project(CREATE_API);
    const before = readFiles(root);
    expect(await runCommand(root, CREATE_API)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already exists"),
    });
    expect(readFiles(root)).toEqual(before);
    expect((await runCommand(root, `${CREATE_API} --force --output json`)).stdout).toContain('"files": []');
    expect(readFiles(root)).toEqual(before);
  });

  it("with --force lists what it replaces, and only that", async () => {
    const root = await project(CREATE_API);
    const types = readFiles(root)["api/v1/guestbook_types.ts"] ?? "";
    writeFiles(root, { "api/v1/guestbook_types.ts": `${types}// mine\n` });
    const shown = await runCommand(root, `${CREATE_API} --force --dry-run`);
    expect(shown.stdout).toContain("-// mine\n");
    const { stdout } = await runCommand(root, `${CREATE_API} --force`);
    expect(stdout.match(/^replaced .*$/gmu)).toEqual(["replaced api/v1/guestbook_types.ts"]);
    expect(stdout).toContain("\n--force replaced 1 file; `git diff` ");
    expect(readFiles(root)["api/v1/guestbook_types.ts"]).toBe(types);
  });

  it.each([
    ["--group crew --version v1 --kind captain", 'cannot use kind "captain"', "such as Captain"],
    ["--group crew --version v1 --kind Cap_tain", 'cannot use kind "Cap_tain"', "--kind"],
    ["--group crew --version 1 --kind Captain", 'cannot use version "1"', "--version"],
    ["--group crew --version V1 --kind Captain", 'cannot use version "V1"', "--version"],
    ["--group Crew --version v1 --kind Captain", 'cannot use group "Crew"', "--group"],
    ["--group -x --version v1 --kind Captain", 'cannot use group "-x"', "--group"],
    ["--group crew --version v1", 'required flag(s) "kind" not set', "--help"],
    ["--group crew --version v1 --kind Captain --plural Foo", 'cannot use plural "Foo"', "--plural"],
    ["--group crew --version v1 --kind Captain --controller-name Bad_Name", '"Bad_Name"', "--controller-name"],
    ["--group crew --version v1 --kind=", "flag --kind is present but empty", "set a value"],
    ["--group crew --version v1 --kind Captain --resource=false --controller=false", "neither", "--resource=false"],
    ["--group crew --version v1 --kind Captain --plugins go/v4", 'plugin key "go/v4"', "use ts/v1"],
  ])("%s is refused with a hint and changes nothing", async (flags, message, hint) => {
    const root = await project();
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, `create api ${flags}`);
    expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
    expect(stderr).toMatch(/^error: .* \[[A-Z_]+\]\nhint: [^\n]+\n$/u);
    expect(stderr).toContain(message);
    expect(stderr.split("\nhint: ")[1]).toContain(hint);
    expect(readFiles(root)).toEqual(before);
  });

  it("needs a group when the project has no domain", async () => {
    const root = await project();
    writeFiles(root, { PROJECT: (readFiles(root)["PROJECT"] ?? "").replace("domain: demo\n", "") });
    const before = readFiles(root);
    expect(await runCommand(root, "create api --group= --version v1 --kind Captain")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("[PROJECT_INVALID_NAME]"),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses to take over a file that exists", async () => {
    const root = await project();
    writeFiles(root, { "internal/controller/guestbook_controller.ts": "// mine\n" });
    const before = readFiles(root);
    expect(await runCommand(root, CREATE_API)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "cannot create internal/controller/guestbook_controller.ts: the file already exists",
      ),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it.each(["PROJECT", "cmd/main.ts"])("says that %s cannot be read, and why", async (file) => {
    const root = await project();
    const { rmSync, symlinkSync } = await import("node:fs");
    rmSync(`${root}/${file}`);
    // A link to itself, since there is no file that an administrator may not read.
    symlinkSync(file.split("/").at(-1) ?? "", `${root}/${file}`);
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, CREATE_API);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^error: cannot read ${file}: ELOOP: .* \\[SCAFFOLD_FILE_UNREADABLE\\]\nhint: `, "u"),
    );
    expect(readFiles(root)).toEqual(before);
  });

  it("refuses a second group until the project has several", async () => {
    const root = await project(CREATE_API);
    const second = "create api --group sea-creatures --version v1 --kind Kraken --make=false";
    expect(await runCommand(root, second)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("scaffold edit --multigroup"),
    });
    await runCommands(
      root,
      "edit --multigroup",
      second,
      "create api --group foo.policy --version v1 --kind Kraken --make=false",
    );
    const files = readFiles(root);
    expect(Object.keys(files)).toEqual(
      expect.arrayContaining([
        "api/sea-creatures/v1/kraken_types.ts",
        "internal/controller/foo.policy/kraken_controller.ts",
        "config/rbac/sea-creatures_kraken_admin_role.yaml",
      ]),
    );
    expect(files["internal/controller/foo.policy/kraken_controller.ts"]).toContain('.named("foo.policy-kraken")');
    expect(files["cmd/main.ts"]).toContain("import { KrakenReconciler as SeaCreaturesKrakenReconciler } from");
    expect(files["cmd/main.ts"]).toContain("await new FooPolicyKrakenReconciler(mgr.getClient())");
    expect(files["config/rbac/sea-creatures_kraken_admin_role.yaml"]).toContain(
      "name: sea-creatures-kraken-admin-role",
    );
  });

  it.each([
    [
      "the marker of registrations",
      "cmd/main.ts",
      "  // +kubebuilder:scaffold:builder\n",
      "await new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr);",
    ],
    ["the marker of imports", "cmd/main.ts", "// +kubebuilder:scaffold:imports\n", "import { GuestbookReconciler }"],
    [
      "the marker of roles",
      "config/rbac/kustomization.yaml",
      "# +kubebuilder:scaffold:rbackustomizeresource\n",
      "- guestbook_admin_role.yaml",
    ],
    ["the line of the CRDs", "config/default/kustomization.yaml", "#- ../crd\n", "- ../crd"],
  ])("without %s says what belongs where and writes nothing", async (_, file, line, wanted) => {
    const root = await project();
    writeFiles(root, { [file]: (readFiles(root)[file] ?? "").replace(line, "") });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, CREATE_API);
    expect(status).toBe(1);
    expect(stderr).toContain(`cannot insert into ${file}`);
    expect(stderr).toContain("[SCAFFOLD_MARKER_MISSING]");
    expect(stderr).toContain(wanted);
    expect(readFiles(root)).toEqual(before);
  });

  it("finds its places in files that were formatted otherwise", async () => {
    const root = await project();
    const main = (readFiles(root)["cmd/main.ts"] ?? "")
      .replaceAll(/^ {2}/gmu, "\t")
      .replaceAll('"', "'")
      .replaceAll("// +kube", "//+kube")
      .replaceAll("\n", "\r\n");
    const kustomization = (readFiles(root)["config/default/kustomization.yaml"] ?? "").replace(
      "#- ../crd",
      "#  -   ../crd",
    );
    writeFiles(root, { "cmd/main.ts": main, "config/default/kustomization.yaml": kustomization });
    await runCommands(root, CREATE_API);
    expect(readFiles(root)["cmd/main.ts"]).toContain(
      "\tawait new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr);\r\n\t//+kubebuilder:scaffold:builder\r\n",
    );
    expect(readFiles(root)["config/default/kustomization.yaml"]).toContain("\n- ../crd\n");
  });

  it.each(["cmd/main.ts", "config/rbac/kustomization.yaml"])("without %s says that it is missing", async (file) => {
    const root = await project();
    const { rmSync } = await import("node:fs");
    rmSync(`${root}/${file}`);
    expect(await runCommand(root, CREATE_API)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(`cannot change ${file}: the file does not exist`),
    });
  });

  it("keeps comments and unknown keys of PROJECT", async () => {
    const root = await project();
    writeFiles(root, { PROJECT: `${readFiles(root)["PROJECT"] ?? ""}# mine\nzebra: true\n` });
    await runCommands(root, CREATE_API);
    expect(readFiles(root)["PROJECT"]).toMatch(/kind: Guestbook[\s\S]*# mine\nzebra: true\n$/u);
  });

  it("on a dry run shows the diff and writes nothing", async () => {
    const root = await project();
    const before = readFiles(root);
    const { stdout } = await runCommand(root, `${CREATE_API} --dry-run`);
    expect(stdout).toContain("+++ b/api/v1/guestbook_types.ts");
    expect(stdout).toContain("+  await new GuestbookReconciler(mgr.getClient()).setupWithManager(mgr);");
    expect(stdout).toContain("-#- ../crd\n+- ../crd");
    expect(readFiles(root)).toEqual(before);
  });

  it("generates the manifests by default", async () => {
    const root = await project();
    const { stdout } = await runCommand(root, CREATE_API.replace(" --make=false", ""));
    expect(stdout).toContain("created config/crd/bases/webapp.demo_guestbooks.yaml\n");
    expect(readFiles(root)["config/rbac/role.yaml"]).toContain("- guestbooks/finalizers");
  });

  it("gives the roles of a namespaced project their namespace", async () => {
    const root = await project("edit --namespaced", CREATE_API);
    const files = readFiles(root);
    expect(files["internal/controller/guestbook_controller.ts"]).toContain(
      "groups=webapp.demo,namespace=guestbook-system,resources=guestbooks,",
    );
    expect(files["config/rbac/guestbook_admin_role.yaml"]).toContain("kind: Role\n");
  });

  it("waits for others that run at the same time, and leaves PROJECT whole", async () => {
    const root = await project("edit --multigroup");
    const results = await Promise.all(
      ["A", "B", "C"].map((kind) => runCommand(root, `create api --group g --version v1 --kind ${kind} --make=false`)),
    );
    expect(results.map(({ status, stderr }) => ({ status, stderr }))).toEqual(
      results.map(() => ({ status: 0, stderr: "" })),
    );
    expect(readFiles(root)["PROJECT"]?.match(/kind: /gu)).toHaveLength(3);
  });
});

describe("create api with a controller name", () => {
  it("adds another controller of a kind, with its own test", async () => {
    const root = await project(
      CREATE_API,
      "create api --group webapp --version v1 --kind Guestbook --resource=false --controller-name guestbook-backup --make=false",
    );
    const files = readFiles(root);
    expect(files["PROJECT"]).toContain("controllers:\n  - name: guestbook\n  - name: guestbook-backup\n");
    expect(files["PROJECT"]).not.toContain("controller: true");
    expect(files["internal/controller/guestbook_backup_controller.ts"]).toContain("class GuestbookBackupReconciler");
    expect(files["internal/controller/guestbook_backup_controller.ts"]).toContain('.named("guestbook-backup")');
    expect(files["internal/controller/guestbook_backup_controller.test.ts"]).toContain(
      'from "./guestbook_backup_controller.ts"',
    );
    expect(files["cmd/main.ts"]).toContain(
      "await new GuestbookBackupReconciler(mgr.getClient()).setupWithManager(mgr);",
    );
  });

  it("is chosen by itself for a second kind of one name in a project of one group", async () => {
    const root = await project(
      "create api --group apps --version v1 --kind Deployment --resource=false --make=false",
      "create api --group crew --version v1 --kind Deployment --make=false",
    );
    const files = readFiles(root);
    expect(files["internal/controller/deployment_controller.ts"]).toContain('from "@kubescaffold/k8s/apps/v1"');
    expect(files["internal/controller/crew_deployment_controller.ts"]).toContain("class CrewDeploymentReconciler");
  });
});

describe("create api with types of an external project", () => {
  const EXTERNAL = "create api --group cert-manager --version v1 --kind Certificate --resource=false --make=false";
  const EXTERNAL_WEBHOOK =
    "create webhook --group cert-manager --version v1 --kind Certificate --defaulting --make=false";

  it("imports them, depends on their package, and records where they are", async () => {
    const root = await project(
      `${EXTERNAL} --external-api-path @acme/certs/v1 --external-api-domain io --external-api-module @acme/certs@^1.20.2`,
    );
    const files = readFiles(root);
    const controller = files["internal/controller/certificate_controller.ts"];
    expect(controller).toContain('import { Certificate } from "@acme/certs/v1";');
    expect(controller).toContain("groups=cert-manager.io,resources=certificates,verbs=get");
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies: { "@acme/certs": "^1.20.2" } });
    expect(files["PROJECT"]).toContain(
      "  external: true\n  group: cert-manager\n  kind: Certificate\n  module: '@acme/certs@^1.20.2'\n",
    );
    expect(Object.keys(files).filter((name) => name.startsWith("api/") || name.startsWith("config/crd"))).toEqual([]);
  });

  it("are not recorded when package.json cannot have their package", async () => {
    const root = await project();
    writeFiles(root, { "package.json": "{" });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(
      root,
      `${EXTERNAL} --external-api-path @acme/certs/v1 --external-api-domain io --external-api-module @acme/certs@^1.20.2`,
    );
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("error: cannot change package.json: it is not JSON: "),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("may be in the project", async () => {
    const root = await project();
    writeFiles(root, { "api/certs/certificate_types.ts": "export {};\n" });
    await runCommands(
      root,
      `${EXTERNAL} --external-api-path ./api/certs/certificate_types.ts --external-api-domain io`,
    );
    expect(readFiles(root)["internal/controller/certificate_controller.ts"]).toContain(
      'from "../../api/certs/certificate_types.ts"',
    );
  });

  it.each(["./missing", "./api/certs", "./api/certs/certificate_types"])(
    "cannot be at %s, where the project has no file",
    async (given) => {
      const root = await project();
      writeFiles(root, { "api/certs/certificate_types.ts": "export {};\n" });
      const before = readFiles(root);
      for (const command of [EXTERNAL, EXTERNAL_WEBHOOK]) {
        const { status, stderr } = await runCommand(
          root,
          `${command} --external-api-path ${given} --external-api-domain io`,
        );
        expect({ status, stderr }).toEqual({
          status: 1,
          stderr: `error: cannot use external path "${given}": the project has no file of this name [PROJECT_INVALID_NAME]
hint: pass the file that exports the kind, with its extension, or a module such as @acme/issuers/v1; nothing was written
`,
        });
      }
      expect(readFiles(root)).toEqual(before);
    },
  );

  it("must be named", async () => {
    const root = await project();
    const { status, stderr } = await runCommand(root, EXTERNAL);
    expect(status).toBe(1);
    expect(stderr).toContain("no API found for cert-manager/v1, Kind=Certificate");
  });

  it("may have webhooks", async () => {
    const root = await project(
      `${EXTERNAL} --external-api-path @acme/certs/v1 --external-api-domain io`,
      "create webhook --group cert-manager --version v1 --kind Certificate --defaulting --make=false",
    );
    expect(readFiles(root)["internal/webhook/v1/certificate_webhook.ts"]).toContain(
      "path=/mutate-cert-manager-io-v1-certificate",
    );
  });

  it("may have webhooks alone, which come and go without a trace but the package", async () => {
    const root = await project();
    const before = readFiles(root);
    const gvk = "--group cert-manager --version v1 --kind Certificate --make=false";
    const types =
      "--external-api-path @acme/certs/v1 --external-api-domain io --external-api-module @acme/certs@^1.20.2";
    const { stdout } = await runCommand(root, `create webhook ${gvk} --programmatic-validation ${types}`);
    expect(stdout).toContain("Next:\n  npm install\n");
    const files = readFiles(root);
    const webhook = files["internal/webhook/v1/certificate_webhook.ts"];
    expect(webhook).toContain('import { Certificate } from "@acme/certs/v1";');
    expect(webhook).toContain("groups=cert-manager.io,resources=certificates,verbs=create;update");
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ dependencies: { "@acme/certs": "^1.20.2" } });
    await runCommands(root, `delete webhook ${gvk}`);
    expect(readFiles(root)).toEqual({ ...before, "package.json": files["package.json"] });
  });
});

describe("kinds of names that the code needs itself", () => {
  it.each(["Condition", "GroupVersion", "Kind", "KubernetesObject", "Schema"])("may not be %s", async (kind) => {
    const root = await project();
    const files = readFiles(root);
    const { status, stderr } = await runCommand(root, `create api --group webapp --version v1 --kind ${kind}`);
    expect(status).toBe(1);
    expect(stderr).toContain("its types file imports a type with this name [PROJECT_INVALID_NAME]");
    expect(readFiles(root)).toEqual(files);
  });
});
