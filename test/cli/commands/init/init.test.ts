import { mkdirSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { listFolders, readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

describe("init", () => {
  it("writes a project and nothing else", async () => {
    const root = temporaryFolder();
    const { status, stdout } = await runCommand(root, INIT);
    expect(status).toBe(0);
    expect(stdout).toContain("created PROJECT\n");
    expect(stdout).toContain("npx scaffold create api");
    const files = readFiles(root);
    expect(Object.keys(files)).toEqual(
      stdout
        .split("\n")
        .filter((line) => line.startsWith("created "))
        .map((line) => line.slice(8)),
    );
    expect(files["PROJECT"]).toContain(
      'cliVersion: 0.1.0\ndomain: demo\nlayout:\n- ts.kubescaffold.dev/v1\nplugins:\n  base.ts.kubescaffold.dev/v1:\n    kubernetesVersion: "1.37"\nprojectName: guestbook\nrepo: guestbook\nversion: "3"\n',
    );
    expect(listFolders(root)).not.toContain(".kubescaffold");
  });

  it("takes its name from the folder and my.domain for its domain", async () => {
    const root = path.join(temporaryFolder(), "Guests");
    mkdirSync(root);
    await runCommands(root, "init --skip-install");
    expect(readFiles(root)["PROJECT"]).toContain("domain: my.domain\n");
    expect(readFiles(root)["PROJECT"]).toContain("projectName: guests\nrepo: guests\n");
  });

  it.each([
    ["My_Project", "my_project"],
    ["a".repeat(60), "at most 28 characters"],
    ["1abc", "1abc"],
  ])("refuses the name of the folder %s, and takes another that is given", async (folder, text) => {
    const root = path.join(temporaryFolder(), folder);
    mkdirSync(root);
    const refused = await runCommand(root, "init --skip-install");
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining(text) });
    expect(refused.stderr).toContain("--project-name");
    expect(readFiles(root)).toEqual({});
    await runCommands(root, "init --skip-install --project-name ok");
    expect(readFiles(root)["PROJECT"]).toContain("projectName: ok\n");
  });

  it("takes the package's name from a package.json that is there", async () => {
    const manifest = '{ "name": "@acme/guests", "version": "1.2.3" }\n';
    const root = temporaryFolder({ "package.json": manifest });
    await runCommands(root, INIT);
    expect(JSON.parse(readFiles(root)["package.json"] ?? "")).toMatchObject({ name: "@acme/guests", version: "1.2.3" });
    expect(readFiles(root)["PROJECT"]).toContain("projectName: guestbook\nrepo: '@acme/guests'\n");
  });

  it("lists npm install as the first step after --skip-install", async () => {
    const { stdout } = await runCommand(temporaryFolder(), INIT);
    expect(stdout).toMatch(/\nNext:\n {2}npm install\n {2}npx scaffold create api /u);
  });

  it.each([
    ["--project-name My_Project", "My_Project"],
    [`--project-name ${"a".repeat(29)}`, "at most 28 characters"],
    ["--project-name 1abc", "1abc"],
    ["--domain Bad_Domain", "Bad_Domain"],
    ["--repo Bad/Repo/Name", "Bad/Repo/Name"],
    ["--plugins go/v4", "use ts/v1"],
    ["--plugins go.kubebuilder.io/v4", "use ts/v1"],
    ["--plugins nonsense/v1", "known plugins"],
    ["--license-file missing.txt", "missing.txt"],
  ])("refuses %s and writes nothing", async (flags, text) => {
    const root = temporaryFolder();
    const { status, stderr } = await runCommand(root, `init --skip-install --project-name ok ${flags}`);
    expect(status).toBe(1);
    expect(stderr).toContain(text);
    expect(readFiles(root)).toEqual({});
    expect(listFolders(root)).toEqual([]);
  });

  it("takes an empty domain: groups are then written in full", async () => {
    const root = temporaryFolder();
    await runCommands(root, "init --skip-install --project-name ok --domain=");
    expect(readFiles(root)["PROJECT"]).not.toContain("domain");
    expect(await runCommand(root, "create api --version v1 --kind Guestbook --make=false")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("group cannot be empty if the domain is empty"),
    });
    await runCommands(root, "create api --group crew.example.com --version v1 --kind Guestbook");
    expect(readFiles(root)).toHaveProperty(["config/crd/bases/crew.example.com_guestbooks.yaml"]);
    expect(readFiles(root)["cmd/main.ts"]).toMatch(/leaderElectionId: "[0-9a-f]{8}"/u);
    expect(await runCommand(root, "doctor")).toMatchObject({ status: 0 });
  });

  it.each(["{,", "[]"])("refuses a package.json that holds %s, and writes nothing", async (text) => {
    const root = temporaryFolder({ "package.json": text });
    expect(await runCommand(root, INIT)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("cannot add to package.json: it is not a JSON object [CLI_INPUT]"),
    });
    expect(readFiles(root)).toEqual({ "package.json": text });
  });

  it("adds to a package.json with a byte order mark, and keeps that", async () => {
    const root = temporaryFolder({ "package.json": '\uFEFF{ "name": "@acme/guests" }\n' });
    await runCommands(root, INIT);
    const [, mark, text = ""] = /^(\uFEFF?)(.*)$/su.exec(readFiles(root)["package.json"] ?? "") ?? [];
    expect(mark).toBe("\uFEFF");
    expect(JSON.parse(text)).toMatchObject({ name: "@acme/guests", type: "module" });
  });

  it("refuses a folder that has a project and changes nothing", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    expect(await runCommand(root, INIT)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("already initialized [PROJECT_EXISTS]"),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it.each(["Makefile", "cmd/main.ts"])("refuses a folder that has a %s", async (file) => {
    const root = temporaryFolder({ [file]: "mine\n" });
    expect(await runCommand(root, INIT)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("CLI_FOLDER_IN_USE"),
    });
    expect(readFiles(root)).toEqual({ [file]: "mine\n" });
  });

  it("refuses a Makefile that is a folder or a link", async () => {
    const folder = temporaryFolder();
    mkdirSync(path.join(folder, "Makefile"));
    expect((await runCommand(folder, INIT)).stderr).toContain("cannot write Makefile: it is a folder");
    const link = temporaryFolder();
    symlinkSync("elsewhere", path.join(link, "Makefile"));
    expect((await runCommand(link, INIT)).stderr).toContain("cannot write Makefile: it is a symbolic link");
  });

  it("keeps files that are there and says so", async () => {
    const root = temporaryFolder({ "README.md": "mine\n", LICENSE: "mine\n" });
    const { status, stdout } = await runCommand(root, INIT);
    expect(status).toBe(0);
    expect(stdout).toContain("kept    README.md");
    expect(stdout).toContain("The folder was not empty (LICENSE, README.md): kept 1 existing file");
    expect(readFiles(root)).toMatchObject({ "README.md": "mine\n", LICENSE: "mine\n" });
  });

  it("adds to a package.json that is there, and says so", async () => {
    const mine = { name: "mine", version: "1.0.0", scripts: { build: "make" }, type: "commonjs" };
    const root = temporaryFolder({ "package.json": JSON.stringify(mine) });
    const { status, stdout } = await runCommand(root, INIT);
    expect(status).toBe(0);
    expect(stdout).toContain("changed package.json");
    expect(stdout).toContain("Its scripts build were not changed:");
    const manifest = JSON.parse(readFiles(root)["package.json"] ?? "") as Record<string, unknown>;
    expect(manifest).toMatchObject({ name: "mine", type: "module", scripts: { build: "make", test: "scaffold test" } });
    expect(manifest["dependencies"]).toHaveProperty("@kubescaffold/runtime");
    expect(readFiles(root)["PROJECT"]).toContain("repo: mine\n");
  });

  it("starts no project with plugins that only add to one", async () => {
    const root = temporaryFolder();
    const result = await runCommand(root, `${INIT} --plugins grafana/v1-alpha,helm`);
    expect(result).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(
        "--plugins=ts/v1,grafana.kubescaffold.dev/v1-alpha,helm.kubescaffold.dev/v2-alpha",
      ),
    });
    expect(readFiles(root)).toEqual({});
  });

  it("installs nothing where there is no package", async () => {
    const root = temporaryFolder();
    const { status, stdout } = await runCommand(root, "init --project-name guestbook --plugins=kustomize/v2");
    expect(status).toBe(0);
    expect(stdout).not.toContain("npm install");
    expect(Object.keys(readFiles(root)).filter((name) => !name.startsWith("config/"))).toEqual(["PROJECT"]);
  });

  it("puts the license asked for at the top of every source", async () => {
    const year = new Date().getFullYear();
    const header = async (flags: string, files: Readonly<Record<string, string>> = {}): Promise<string> => {
      const root = temporaryFolder(files);
      await runCommands(root, `${INIT} ${flags}`, "create api --group g --version v1 --kind A --make=false");
      const sources = Object.entries(readFiles(root)).filter(([name]) => /^(?:api|cmd|internal)\/.*\.ts$/u.test(name));
      const headers = sources.map(([, text]) => (text.startsWith("/*\n") ? text.slice(0, text.indexOf("*/") + 2) : ""));
      expect(new Set(headers).size).toBe(1);
      return headers[0] ?? "";
    };
    expect(await header("--owner ACME")).toBe(`/*\nCopyright ${year} ACME.\n\nSPDX-License-Identifier: Apache-2.0\n*/`);
    expect(await header("--license copyright --owner ACME")).toBe(`/*\nCopyright ${year} ACME.\n*/`);
    expect(await header("--license none")).toBe("");
    expect(await header("--license none --license-file own.txt", { "own.txt": "/*\nOurs.\n*/\n" })).toBe(
      "/*\nOurs.\n*/",
    );
  });

  it("refuses a license file that is no comment", async () => {
    const { stderr } = await runCommand(temporaryFolder({ "own.txt": "Ours." }), `${INIT} --license-file own.txt`);
    expect(stderr).toContain("own.txt:1:1: the text is not exactly one comment");
  });

  it("shows on a dry run what it would write, as a diff or as JSON, and writes nothing", async () => {
    const root = temporaryFolder();
    const text = await runCommand(root, `${INIT} --dry-run`);
    expect(text).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/dry run: \d+ files would change; nothing was written/u),
    });
    expect(text.stdout).toContain("--- /dev/null\n+++ b/PROJECT\n@@ -0,0 +1,");
    const json = JSON.parse((await runCommand(root, `${INIT} --dry-run --output json`)).stdout) as {
      files: { path: string; action: string; diff: string }[];
      dryRun: boolean;
    };
    expect(json.dryRun).toBe(true);
    expect(json.files.find((file) => file.path === "PROJECT")).toMatchObject({
      action: "create",
      diff: expect.stringContaining("+domain: demo"),
    });
    expect(listFolders(root)).toEqual([]);
  });

  it("prints JSON that names every file", async () => {
    const root = temporaryFolder();
    const { stdout } = await runCommand(root, `${INIT} --output json`);
    const outcome = JSON.parse(stdout) as { files: { path: string }[]; command: string };
    expect(outcome.files.map((file) => file.path)).toEqual(Object.keys(readFiles(root)));
    expect(outcome.command).toBe(`scaffold ${INIT} --output json`);
  });

  it("writes paths to this checkout's packages into package.json", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const manifest = JSON.parse(readFiles(root)["package.json"] ?? "") as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
    };
    expect(manifest.dependencies["@kubescaffold/runtime"]).toMatch(/^file:.*packages\/runtime$/u);
    expect(Object.keys(manifest.dependencies)).toEqual([
      "@kubescaffold/k8s",
      "@kubescaffold/platform",
      "@kubescaffold/runtime",
      "@kubescaffold/schema",
    ]);
    expect(Object.keys(manifest.devDependencies)).toEqual(
      expect.arrayContaining([
        "@kubescaffold/apiserver",
        "@kubescaffold/cluster",
        "@kubescaffold/dashboard",
        "@kubescaffold/envtest",
        "kubescaffold",
      ]),
    );
  });
});
