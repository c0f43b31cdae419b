import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { ROOT } from "../architecture/source-files.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { runProgram } from "../support/run-program.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

const LIVENESS_MS = 300_000;

async function project(init: string, ...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, init, ...lines);
  return root;
}

async function errorsOf(root: string): Promise<readonly unknown[]> {
  const { stdout } = await runCommand(root, "doctor --output json");
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly { readonly severity: string }[] };
  return findings.filter(({ severity }) => severity === "error");
}

describe("scenario 7: licenses", () => {
  it.each([
    ["an unknown license", "--license mit", {}, "apache2, copyright, none"],
    ["a license file that is missing", "--license-file own.txt", {}, "own.txt"],
    ["a license file that is no comment", "--license-file own.txt", { "own.txt": "Ours." }, "not exactly one comment"],
  ])("refuses %s, at init and at edit", async (_, flags, files, text) => {
    const empty = temporaryFolder(files);
    expect(await runCommand(empty, `${INIT} ${flags}`)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining(text),
    });
    expect(readFiles(empty)).toEqual(files);
    const root = await project(INIT);
    writeFiles(root, files);
    const before = readFiles(root);
    expect(await runCommand(root, `edit ${flags}`)).toMatchObject({ status: 1, stderr: expect.stringContaining(text) });
    expect(readFiles(root)).toEqual(before);
  });
});

describe("scenario 7: a license file that is empty", () => {
  it("is no header, as with --license none", async () => {
    const root = temporaryFolder({ "own.txt": "" });
    await runCommands(root, `${INIT} --license-file own.txt`, CREATE_API);
    const sources = Object.entries(readFiles(root)).filter(([name]) => name.endsWith(".ts"));
    expect(sources.filter(([, text]) => text.startsWith("/*\n"))).toEqual([]);
  });
});

describe("scenario 8: a manager that is scoped to namespaces", () => {
  it("has roles and no cluster role of its own, and does not start without WATCH_NAMESPACE", async () => {
    const root = await project(`${INIT} --namespaced`, CREATE_API, "manifests");
    const files = readFiles(root);
    expect(files["config/rbac/role.yaml"]).toMatch(/^kind: Role$/mu);
    expect(files["config/rbac/role_binding.yaml"]).toMatch(/^kind: RoleBinding$/mu);
    expect(files["config/manager/manager.yaml"]).toContain("name: WATCH_NAMESPACE");
    writeFiles(root, { kubeconfig: KUBECONFIG });
    symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
    const program = ["--import", "tsx", "cmd/main.ts", "--kubeconfig=kubeconfig"];
    const { status, output } = await runProgram(process.execPath, program, { cwd: root });
    expect({ status, output }).toEqual({ status: 1, output: expect.stringContaining("WATCH_NAMESPACE") });
  });
});

const KUBECONFIG = `apiVersion: v1
kind: Config
current-context: nowhere
clusters: [{ name: nowhere, cluster: { server: "http://127.0.0.1:1" } }]
contexts: [{ name: nowhere, context: { cluster: nowhere, user: nobody } }]
users: [{ name: nobody, user: {} }]
`;

describe("scenario 18: a controller of a kind of Kubernetes' core group", () => {
  it("has permissions of the group without a name, and neither CRD nor sample", async () => {
    const root = await project(
      INIT,
      "create api --group core --version v1 --kind Pod --resource=false --controller --make=false",
      "manifests",
    );
    const files = readFiles(root);
    expect(files["config/rbac/role.yaml"]).toMatch(/- apiGroups:\n {2}- ""\n {2}resources:\n {2}- pods\n/u);
    expect(Object.keys(files).filter((name) => /^(?:api|config\/(?:crd|samples))\//u.test(name))).toEqual([]);
  });
});

describe("scenario 30: settings that are changed one after the other", () => {
  it("leave one another alone, and variables of the user too", async () => {
    const root = await project(INIT, CREATE_API, CREATE_WEBHOOK);
    const manager = "config/manager/manager.yaml";
    const image = "        image: controller:latest\n";
    const own = `        env:\n        - name: LEVEL\n          value: "5"\n${image}`;
    const text = readFiles(root)[manager] ?? "";
    expect(text).toContain(image);
    writeFiles(root, { [manager]: text.replace(image, own) });
    await runCommands(root, "edit --namespaced", "edit --multigroup", "edit --license none");
    const files = readFiles(root);
    expect(files["PROJECT"]).toContain("multigroup: true\nnamespaced: true\n");
    expect(files[manager]).toContain("- name: LEVEL");
    await runCommands(root, "edit --namespaced=false");
    expect(readFiles(root)["PROJECT"]).toContain("multigroup: true\n");
    expect(readFiles(root)["PROJECT"]).not.toContain("namespaced: true\nprojectName");
  });
});

describe("scenario 45: folders and files of all sorts", () => {
  it("a path with blanks and letters of other alphabets is a place like any other", async () => {
    const root = path.join(temporaryFolder(), "mein größtes Projekt 項目");
    mkdirSync(root);
    await runCommands(root, INIT, CREATE_API, CREATE_WEBHOOK, "manifests", "generate");
    expect(await errorsOf(root)).toEqual([]);
  });

  it("a folder that is reached by a link is the folder", async () => {
    const folder = temporaryFolder();
    const root = path.join(folder, "real");
    mkdirSync(root);
    symlinkSync("real", path.join(folder, "link"));
    await runCommands(path.join(folder, "link"), INIT, CREATE_API, CREATE_WEBHOOK, "manifests", "generate");
    expect(await errorsOf(root)).toEqual([]);
  });

  it("a checkout with CRLF is added to and removed from", async () => {
    const root = await project(INIT, CREATE_API);
    const carriageReturns = (text: string): string => text.replaceAll("\n", "\r\n");
    writeFiles(
      root,
      Object.fromEntries(Object.entries(readFiles(root)).map(([name, text]) => [name, carriageReturns(text)])),
    );
    const kept = ["cmd/main.ts", "config/default/kustomization.yaml", "config/rbac/kustomization.yaml"];
    const before = readFiles(root);
    const second = "--group webapp --version v1 --kind Visitor --make=false";
    await runCommands(root, `create api ${second}`, `create webhook ${second} --defaulting`);
    const between = readFiles(root);
    expect(between["cmd/main.ts"]).toContain("new VisitorReconciler(");
    expect(kept.filter((file) => between[file]?.replaceAll("\r\n", "").includes("\n"))).toEqual([]);
    await runCommands(root, `delete api ${second}`);
    for (const file of kept) expect(readFiles(root)[file]).toBe(before[file]);
  });
});

describe("scenario 46: what would change", () => {
  it.each([
    "create api --group webapp --version v1 --kind Visitor --make=false",
    "create webhook --group webapp --version v1 --kind Guestbook --defaulting --make=false",
    "delete api --group webapp --version v1 --kind Guestbook --make=false",
    "rename api --group webapp --kind Guestbook --to-kind Visitor --make=false",
    "create api --group webapp --version v1 --kind Visitor --image=nginx --plugins=deploy-image/v1-alpha --make=false",
    "edit --multigroup",
    "edit --namespaced --make=false",
    "edit --license copyright --owner Acme",
    "edit --plugins=grafana/v1-alpha",
    "edit --plugins=autoupdate/v1-alpha",
    "edit --plugins=helm/v2-alpha",
    "alpha generate --output-dir elsewhere",
    "manifests",
    "generate",
  ])("is data for `%s --dry-run --output json`, and nothing is written", async (line) => {
    const root = await project(INIT, CREATE_API);
    const before = readFiles(root);
    const { status, stdout, stderr } = await runCommand(root, `${line} --dry-run --output json`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const { files } = JSON.parse(stdout) as { readonly files: readonly { readonly path: string }[] };
    expect(files.length).toBeGreaterThan(0);
    expect(readFiles(root)).toEqual(before);
  });

  it("is data for `init`, of which nothing is written either", async () => {
    const root = temporaryFolder();
    const { status, stdout, stderr } = await runCommand(root, `${INIT} --dry-run --output json`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({ files: expect.arrayContaining([expect.anything()]) });
    expect(readFiles(root)).toEqual({});
  });

  it("is data for `delete webhook`, of which nothing is written either", async () => {
    const root = await project(INIT, CREATE_API, CREATE_WEBHOOK);
    const before = readFiles(root);
    const line = "delete webhook --group webapp --version v1 --kind Guestbook --make=false";
    const { status, stdout } = await runCommand(root, `${line} --dry-run --output json`);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ files: expect.arrayContaining([expect.anything()]) });
    expect(readFiles(root)).toEqual(before);
  });
});

describe("scenario 49: a hundred APIs in one project", () => {
  it("are all registered, in files that stay formatted", { timeout: LIVENESS_MS }, async () => {
    const root = await project(INIT);
    for (let index = 1; index <= 100; index += 1) {
      await runCommands(root, `create api --group crew --version v1 --kind Kind${index} --make=false`);
    }
    const files = readFiles(root);
    expect(files["cmd/main.ts"]?.match(/new Kind\d+Reconciler\(/gu)).toHaveLength(100);
    expect(files["PROJECT"]?.match(/^ {2}kind: Kind\d+$/gmu)).toHaveLength(100);
    expect(files["config/crd/kustomization.yaml"]?.match(/^- bases\//gmu)).toHaveLength(100);
    symlinkSync(path.join(ROOT, "node_modules"), path.join(root, "node_modules"));
    const formatter = path.join(ROOT, "node_modules", ".bin", "oxfmt");
    expect(await runProgram(formatter, ["--check"], { cwd: root })).toMatchObject({ status: 0 });
    await runCommands(root, "manifests", "generate");
    expect(await errorsOf(root)).toEqual([]);
  });
});

describe("scenario 51: an API without types and without a controller", () => {
  it("is refused, and PROJECT stays as it is", async () => {
    const root = await project(INIT);
    const before = readFiles(root);
    const line = "create api --group webapp --version v1 --kind Guestbook --resource=false --controller=false";
    expect(await runCommand(root, line)).toMatchObject({ status: 1 });
    expect(readFiles(root)).toEqual(before);
  });
});

describe("scenario 55: a project without a license", () => {
  it("is generated without a word about the header that is not there", async () => {
    const root = await project(`${INIT} --license none`, CREATE_API);
    expect(readFiles(root)["hack/boilerplate.ts.txt"]).toBeUndefined();
    for (const line of ["manifests", "generate", "create api --group webapp --version v1 --kind Visitor"]) {
      expect(await runCommand(root, line)).toMatchObject({ status: 0, stderr: "" });
    }
    expect(readFileSync(path.join(root, "api/v1/zz_generated.schema.ts"), "utf8")).not.toContain("Copyright");
    expect(await errorsOf(root)).toEqual([]);
  });
});
