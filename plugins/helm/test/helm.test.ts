import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { describe, expect, it } from "vitest";

import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../test/support/run-command.ts";
import { runProgram } from "../../../test/support/run-program.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../test/support/temporary-folder.ts";
import { MADE } from "../chart/chart-files.ts";

const EDIT = "edit --plugins=helm/v2-alpha";
const VALUES = "dist/chart/values.yaml";
const MANAGER = "dist/chart/templates/manager/manager.yaml";

async function project(...lines: readonly string[]): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, ...lines);
  return root;
}

function read(root: string, file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

describe("a chart", () => {
  it("is written with its targets, scripts and workflow, and PROJECT keeps how", async () => {
    const root = await project(CREATE_API);
    const { status, stdout } = await runCommand(root, EDIT);
    expect(status).toBe(0);
    const made = stdout.split("\n").filter((line) => line.startsWith("created dist/chart/"));
    expect(made.map((line) => line.slice("created dist/chart/".length))).toMatchSnapshot();
    expect(read(root, "PROJECT")).toContain(
      "\n  helm.kubescaffold.dev/v2-alpha:\n    manifests: dist/install.yaml\n    output: dist\n",
    );
    const { scripts } = JSON.parse(read(root, "package.json")) as {
      readonly scripts: Readonly<Record<string, string>>;
    };
    const targets = ["install-helm", "helm-deploy", "helm-uninstall", "helm-status", "helm-history", "helm-rollback"];
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(targets));
    for (const each of targets) expect(read(root, "Makefile")).toMatch(new RegExp(`^${each}:.*## `, "mu"));
    expect(read(root, ".github/workflows/test-chart.yml")).toContain("dist/chart");
  });

  it.each([
    ["x", "it is not JSON: "],
    ["[]", "it is not a JSON object"],
    ["null", "it is not a JSON object"],
  ])("is not written beside a package.json of %j", async (text, problem) => {
    const root = await project(CREATE_API);
    writeFiles(root, { "package.json": text });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, EDIT);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining(`error: cannot change package.json: ${problem}`),
    });
    expect(readFiles(root)).toEqual(before);
  });

  it("is tested with what the project's other workflows use, each in one version", async () => {
    const files = readFiles(await project(EDIT));
    const workflows = Object.entries(files).flatMap(([file, text]) => (file.startsWith(".github/") ? [text] : []));
    const actions = workflows.flatMap((text) => text.match(/(?<=uses: ).+/gu) ?? []);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
    const names = new Set(actions.map((action) => action.split("@")[0]));
    expect(new Set(actions).size).toBe(names.size);
    const chart = files[".github/workflows/test-chart.yml"] ?? "";
    expect(chart).not.toMatch(/-latest|go install/u);
    const certManager = /cert-manager\/releases\/download\/(?<version>v[\d.]+)\//u;
    expect(certManager.exec(chart)?.groups).toEqual(certManager.exec(files["test/e2e/cluster.ts"] ?? "")?.groups);
  });

  it("is the same when it is regenerated, and by a project that begins with it", async () => {
    const root = await project(EDIT);
    const before = readFiles(root);
    expect((await runCommand(root, EDIT)).stdout).toContain("are up to date: nothing was changed");
    expect(readFiles(root)).toEqual(before);
    const begun = temporaryFolder();
    await runCommands(begun, `${INIT} --plugins=ts/v1,helm/v2-alpha`);
    const { PROJECT: _begun, ...files } = readFiles(begun);
    const { PROJECT: _before, ...added } = before;
    expect(files).toEqual(added);
    expect(await runCommand(begun, "doctor")).toMatchObject({ status: 0 });
    await runCommands(begun, CREATE_API, EDIT);
    expect(Object.keys(readFiles(begun))).toContain("dist/chart/templates/crd/guestbooks.webapp.demo.yaml");
  });

  it("has the definitions and permissions of the sources as they are, though nobody ran the generators", async () => {
    const root = await project(CREATE_API);
    await runCommands(root, EDIT);
    const files = readFiles(root);
    expect(Object.keys(files)).toContain("config/crd/bases/webapp.demo_guestbooks.yaml");
    expect(files["dist/chart/templates/rbac/manager-role.yaml"]).toContain("guestbooks/status");
  });

  it("on a dry run is shown and not written", async () => {
    const root = await project(CREATE_API);
    const before = readFiles(root);
    const { status, stdout } = await runCommand(root, `${EDIT} --dry-run`);
    expect(status).toBe(0);
    expect(stdout).toContain("+++ b/dist/chart/values.yaml");
    expect(readFiles(root)).toEqual(before);
  });

  it("is regenerated from PROJECT, with what the user wrote, into a folder too", async () => {
    const root = await project(CREATE_API, `${EDIT} --output-dir charts`, "manifests", "generate");
    const values = read(root, "charts/chart/values.yaml").replace("replicas: 1", "replicas: 4");
    writeFiles(root, { "charts/chart/values.yaml": values });
    const before = readFiles(root);
    expect(await runCommand(root, "alpha generate --force")).toMatchObject({ status: 0 });
    expect(readFiles(root)).toEqual(before);
    expect(await runCommand(root, "alpha generate --output-dir again")).toMatchObject({ status: 0 });
    const again = readFiles(path.join(root, "again"));
    const own = (files: Readonly<Record<string, string>>): readonly (readonly [string, string])[] =>
      Object.entries(files).filter(([file]) => !file.startsWith("again/") && !file.startsWith(".kubescaffold/"));
    const { "package.json": _spec, ...expected } = Object.fromEntries(own(before));
    const { "package.json": _other, ...made } = Object.fromEntries(own(again));
    expect(made).toEqual(expected);
  });

  it("is seen by git, though what is built is not", async () => {
    const root = await project(EDIT);
    writeFiles(root, { "dist/manager.mjs": "" });
    await runProgram("git", ["init", "--quiet"], { cwd: root });
    const { output } = await runProgram("git", ["ls-files", "--others", "--exclude-standard", "dist"], { cwd: root });
    expect(output.split("\n")).toContain(VALUES);
    expect(output).not.toContain("dist/manager.mjs");
  });

  it("takes a path of several folders", async () => {
    const root = await project(`${EDIT} --output-dir dist/a/b`);
    writeFiles(root, { "dist/a/other": "" });
    await runProgram("git", ["init", "--quiet"], { cwd: root });
    const { output } = await runProgram("git", ["ls-files", "--others", "--exclude-standard", "dist"], { cwd: root });
    expect(output.split("\n")).toContain("dist/a/b/chart/values.yaml");
    expect(output).not.toContain("dist/a/other");
    expect(read(root, "PROJECT")).toContain("output: dist/a/b");
    expect((await runCommand(root, EDIT)).stdout).toContain("are up to date: nothing was changed");
  });
});

describe("what the user keeps", () => {
  it("stays as it is, and --force overwrites all but Chart.yaml", async () => {
    const root = await project(CREATE_API, EDIT);
    const before = readFiles(root);
    const kept = [
      VALUES,
      "dist/chart/.helmignore",
      "dist/chart/templates/NOTES.txt",
      "dist/chart/templates/_helpers.tpl",
      ".github/workflows/test-chart.yml",
      "hack/helm.mjs",
    ];
    const all = [...kept, "dist/chart/Chart.yaml"];
    writeFiles(root, Object.fromEntries(all.map((file) => [file, `${before[file] ?? ""}# mine\n`])));
    const changed = readFiles(root);
    await runCommands(root, EDIT);
    expect(readFiles(root)).toEqual(changed);
    await runCommands(root, `${EDIT} --force`);
    expect(readFiles(root)).toEqual({ ...before, "dist/chart/Chart.yaml": changed["dist/chart/Chart.yaml"] });
  });

  it("is a template too, once its first line is removed", async () => {
    const root = await project(CREATE_API, EDIT);
    const before = read(root, MANAGER);
    writeFiles(root, { [MANAGER]: `${before}# not mine\n` });
    await runCommands(root, EDIT);
    expect(read(root, MANAGER)).toBe(before);
    const mine = before.replace(`${MADE}\n`, "# mine\n");
    writeFiles(root, { [MANAGER]: mine });
    expect((await runCommand(root, EDIT)).stdout).toContain(`${MANAGER} was not changed`);
    expect(read(root, MANAGER)).toBe(mine);
    await runCommands(root, `${EDIT} --force`);
    expect(read(root, MANAGER)).toBe(before);
  });

  it("gets the values that a first webhook needs, and is notified of variables that it lacks", async () => {
    const root = await project(CREATE_API, EDIT);
    const values = read(root, VALUES).replace("replicas: 1", "replicas: 2 # two");
    writeFiles(root, { [VALUES]: values });
    const deployment = read(root, "config/manager/manager.yaml");
    const env = "        env:\n        - name: COLOR\n          value: red\n";
    writeFiles(root, { "config/manager/manager.yaml": deployment.replace("#        env:\n", env) });
    await runCommands(root, CREATE_WEBHOOK);
    const { stdout } = await runCommand(root, EDIT);
    expect(stdout).toContain(`${VALUES}: added missing keys webhook.`);
    expect(stdout).toContain(`${VALUES} does not set COLOR`);
    const after = read(root, VALUES);
    expect(after.startsWith(values.trimEnd())).toBe(true);
    expect(readYaml(after, { file: VALUES })).toMatchObject({
      manager: { replicas: 2 },
      webhook: { enabled: true, port: 9443 },
    });
  });

  it("loses templates of what is no more, and no other file", async () => {
    const root = await project(CREATE_API, CREATE_WEBHOOK, EDIT);
    writeFiles(root, { "dist/chart/templates/webhook/mine.yaml": "# mine\n" });
    await runCommands(root, "delete webhook --group webapp --version v1 --kind Guestbook", EDIT);
    const webhook = Object.keys(readFiles(root)).filter((file) => file.startsWith("dist/chart/templates/webhook/"));
    expect(webhook).toEqual(["dist/chart/templates/webhook/mine.yaml"]);
  });
});

describe("a file of manifests", () => {
  const DEPLOYMENT = `apiVersion: apps/v1
kind: Deployment
metadata: {name: x-controller-manager, namespace: x-system}
spec: {template: {spec: {containers: [{name: manager, image: "reg:5000/x@sha256:ab", args: [--mine]}]}}}
`;

  it("stands for config/default, and PROJECT keeps its name", async () => {
    const root = await project();
    const objects = `${DEPLOYMENT}---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.b.c}
spec: {group: b.c}
---
apiVersion: b.c/v1
kind: A
metadata: {name: one}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: x-same, namespace: x-system}
---
apiVersion: v1
kind: Secret
metadata: {name: x-same, namespace: x-system}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: x-manager-role, namespace: infra}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: x-manager-role, namespace: users}
rules: []
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: x-manager-rolebinding, namespace: users}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: x-manager-role}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "x:reader"}
rules: []
`;
    writeFiles(root, { "bundle.yaml": objects });
    const { stdout } = await runCommand(root, `${EDIT} --manifests=bundle.yaml --make=false`);
    expect(stdout).toContain("A one is not part of the chart");
    const files = readFiles(root);
    expect(Object.keys(files).filter((file) => /extras|manager-role/u.test(file))).toEqual([
      "dist/chart/templates/extras/same-secret.yaml",
      "dist/chart/templates/extras/same.yaml",
      "dist/chart/templates/rbac/manager-role-infra.yaml",
      "dist/chart/templates/rbac/manager-role-users.yaml",
      "dist/chart/templates/rbac/manager-rolebinding-users.yaml",
    ]);
    expect(Object.keys(files)).toContain("dist/chart/templates/rbac/x-reader.yaml");
    expect(files["dist/chart/templates/rbac/manager-role-users.yaml"]).toContain(
      'namespace: {{ index (.Values.rbac.roleNamespaces | default dict) "manager-role-users" | default "users" }}',
    );
    expect(readYaml(files[VALUES] ?? "", { file: VALUES })).toMatchObject({
      manager: { args: ["--mine"], image: { repository: "reg:5000/x", digest: "sha256:ab" } },
      metrics: { enabled: false },
      rbac: {
        roleNamespaces: {
          "manager-role-infra": "infra",
          "manager-role-users": "users",
          "manager-rolebinding": "users",
        },
      },
    });
    expect(files["PROJECT"]).toContain("manifests: bundle.yaml");
    expect((await runCommand(root, `${EDIT} --make=false`)).stdout).toContain("are up to date: nothing was changed");
  });

  it.each([
    { text: undefined, code: "HELM_MANIFESTS", problem: "no such file" },
    { text: "", code: "HELM_MANIFESTS", problem: "it contains no manifests" },
    { text: "a: [", code: "HELM_KUSTOMIZATION", problem: "bundle.yaml" },
    { text: "a: b", code: "HELM_KUSTOMIZATION", problem: "not an object with apiVersion, kind, and a name" },
    {
      text: "apiVersion: v1\nkind: Secret\nmetadata: {name: a}",
      code: "HELM_NO_MANAGER",
      problem: "there is no Deployment",
    },
    {
      text: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}",
      code: "HELM_NO_MANAGER",
      problem: "the Deployment a has no container",
    },
    {
      text: ["a", "b"]
        .map((name) => DEPLOYMENT.replace("x-controller-manager", name).replace("name: manager", "name: c"))
        .join("---\n"),
      code: "HELM_NO_MANAGER",
      problem: "none of its 2 Deployments",
    },
  ])("is refused when $problem", async ({ text, code, problem }) => {
    const root = await project();
    if (text !== undefined) writeFiles(root, { "bundle.yaml": text });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, `${EDIT} --manifests=bundle.yaml --make=false`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(problem) });
    expect(stderr).toContain(code);
    expect(stderr).toContain("hint: ");
    expect(readFiles(root)).toEqual(before);
  });
});

describe("a call that cannot be followed", () => {
  it.each(["..", "../charts", "/tmp/charts", "a/../../b"])("writes no chart to %s", async (folder) => {
    const root = await project();
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, `${EDIT} --output-dir ${folder}`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("HELM_CHART_FOLDER") });
    expect(readFiles(root)).toEqual(before);
  });

  it("leaves values that cannot be read as they are", async () => {
    const root = await project(EDIT);
    writeFiles(root, { [VALUES]: "a: [" });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, EDIT);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("HELM_VALUES") });
    expect(readFiles(root)).toEqual(before);
  });

  it("says what is wrong with a kustomization", async () => {
    const root = await project();
    const file = "config/default/kustomization.yaml";
    writeFiles(root, { [file]: `${read(root, file)}\ncomponents:\n- ../x\n` });
    const { status, stderr } = await runCommand(root, EDIT);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringContaining("its field components is not supported"),
    });
    expect(stderr).toContain("kubectl kustomize config/default");
  });
});

describe("hack/helm.mjs", () => {
  it("says what there is, and what is missing", async () => {
    const root = await project(EDIT);
    const call = (args: readonly string[], env: Readonly<Record<string, string>>) =>
      runProgram(process.execPath, ["hack/helm.mjs", ...args], { cwd: root, env: { PATH: "", ...env } });
    expect(await call([], {})).toMatchObject({
      status: 2,
      output: expect.stringContaining("usage: node hack/helm.mjs lint|deploy|"),
    });
    expect(await call(["status"], {})).toMatchObject({
      status: 1,
      output: expect.stringContaining("npm run install-helm"),
    });
    expect(await call(["install-helm"], {})).toMatchObject({
      status: 1,
      output: expect.stringContaining("install Go"),
    });
  });

  it("hands on where and what, and words as a shell takes them apart", async () => {
    const root = await project(EDIT);
    writeFiles(root, { "fake.mjs": "#!/usr/bin/env node\nconsole.log(JSON.stringify(process.argv.slice(2)));\n" });
    chmodSync(path.join(root, "fake.mjs"), 0o755);
    const env = {
      HELM: path.join(root, "fake.mjs"),
      HELM_NAMESPACE: "n",
      HELM_RELEASE: "r",
      HELM_EXTRA_ARGS: `--set a=b --set-string 'c=d e' "f g"h`,
    };
    const { output } = await runProgram(process.execPath, ["hack/helm.mjs", "uninstall"], { cwd: root, env });
    expect(JSON.parse(output)).toEqual([
      "uninstall",
      "r",
      "--namespace",
      "n",
      "--set",
      "a=b",
      "--set-string",
      "c=d e",
      "f gh",
    ]);
  });
});
