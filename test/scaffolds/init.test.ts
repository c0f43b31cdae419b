import { readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { devCommand } from "../../src/cli/commands/dev/dev.ts";
import { INIT, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface DependabotConfig {
  readonly version: number;
  readonly updates: readonly (Readonly<Record<string, unknown>> & { readonly "package-ecosystem": string })[];
}

const OURS = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as Manifest;

async function newProject(flags = ""): Promise<Readonly<Record<string, string>>> {
  const root = temporaryFolder();
  await runCommands(root, `${INIT}${flags}`);
  return readFiles(root);
}

describe("a new project", () => {
  it("uses the tools in the versions that this repository is tested with", async () => {
    const { devDependencies } = JSON.parse((await newProject())["package.json"] ?? "") as Manifest;
    const known = { ...OURS.dependencies, ...OURS.devDependencies };
    const tools = Object.entries(devDependencies).filter(([name]) => !name.includes("kubescaffold"));
    expect(tools.length).toBeGreaterThan(6);
    for (const [name, spec] of tools) expect([name, spec]).toEqual([name, known[name]]);
  });

  it("has the targets of upstream's Makefile, and a script for each that is not about make itself", async () => {
    const files = await newProject();
    const targets = [...(files["Makefile"] ?? "").matchAll(/^\.PHONY: (?<name>[\w-]+)$/gmu)].map(
      (match) => match.groups?.["name"] ?? "",
    );
    expect(targets).toEqual(
      expect.arrayContaining([
        "all",
        "help",
        "manifests",
        "fmt",
        "vet",
        "test",
        "setup-test-e2e",
        "test-e2e",
        "cleanup-test-e2e",
        "lint",
        "lint-fix",
        "lint-config",
        "build",
        "run",
        "docker-build",
        "docker-push",
        "docker-buildx",
        "build-installer",
        "install",
        "uninstall",
        "deploy",
        "undeploy",
      ]),
    );
    // Those two are about make itself.
    const called = targets.filter((target) => !["all", "help"].includes(target));
    const names = called.map((target) => (["install", "uninstall"].includes(target) ? `${target}-crds` : target));
    const { scripts } = JSON.parse(files["package.json"] ?? "") as Manifest;
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(names));
    // npm runs scripts of these names by itself when it installs.
    expect(Object.keys(scripts)).not.toEqual(expect.arrayContaining(["install"]));
    expect(scripts).not.toHaveProperty("install");
    expect(scripts).not.toHaveProperty("prepare");
  });

  it("has upstream's leader election id", async () => {
    expect((await newProject())["cmd/main.ts"]).toContain('leaderElectionId: "5727742e.demo"');
  });

  it("watches namespaces only when it is scoped to them", async () => {
    expect((await newProject())["cmd/main.ts"]).not.toContain("WATCH_NAMESPACE");
    const files = await newProject(" --namespaced");
    expect(files["cmd/main.ts"]).toContain("cache: { defaultNamespaces: watchNamespaces() }");
    expect(files["config/manager/manager.yaml"]).toContain("name: WATCH_NAMESPACE");
    expect(files["config/rbac/role_binding.yaml"]).toMatch(/^kind: RoleBinding$/mu);
    expect(files["PROJECT"]).toContain("namespaced: true\n");
  });

  it("keeps the state of running commands out of version control", async () => {
    expect((await newProject())[".gitignore"]).toContain("\n.kubescaffold/\n");
  });

  it("has workflows that may read and nothing else", async () => {
    const workflows = Object.entries(await newProject()).filter(([name]) => name.startsWith(".github/workflows/"));
    const isStrict = /\npermissions: \{\}\n[\s\S]*contents: read[\s\S]*persist-credentials: false/u;
    expect(workflows.map(([name, text]) => [name, isStrict.test(text)])).toEqual([
      [".github/workflows/lint.yml", true],
      [".github/workflows/test-e2e.yml", true],
      [".github/workflows/test.yml", true],
    ]);
  });

  it("installs from the lock file in workflows, and says in README.md to commit it", async () => {
    const files = await newProject();
    for (const name of ["lint", "test", "test-e2e"]) {
      const text = files[`.github/workflows/${name}.yml`] ?? "";
      expect(text).toMatch(/^ +- run: npm ci$/mu);
      expect(text).not.toMatch(/\bnpm (?:install|i)\b/u);
    }
    expect(files["README.md"]).toMatch(/`npm install` writes `package-lock\.json`: commit it/u);
    expect(files[".gitignore"]).not.toContain("package-lock");
    expect(files[".dockerignore"]).toContain("\n!**/*.json\n");
  });

  it("lets Dependabot propose newer packages, actions and base images, which it finds", async () => {
    const files = await newProject();
    const { version, updates } = parse(files[".github/dependabot.yml"] ?? "") as DependabotConfig;
    expect(version).toBe(2);
    expect(updates.map((update) => update["package-ecosystem"])).toEqual(["npm", "github-actions", "docker"]);
    const weekly = { directory: "/", schedule: { interval: "weekly" }, cooldown: { "default-days": 7 } };
    for (const update of updates) expect(update).toMatchObject(weekly);
    // Dependabot does not follow arguments.
    const stages = (files["Dockerfile"] ?? "").match(/^FROM (?!\$\{)\S+/gmu);
    expect(stages).toEqual(["FROM node:22-bookworm-slim", "FROM gcr.io/distroless/nodejs22-debian12:nonroot"]);
    expect(files["README.md"]).toContain("FROM node:22-bookworm-slim@sha256:... AS base");
  });

  it("takes actions, images and tools in one version alone, not in what is newest", async () => {
    const files = await newProject();
    const workflows = Object.entries(files).filter(([name]) => name.startsWith(".github/workflows/"));
    const actions = workflows.flatMap(([, text]) => text.match(/(?<=uses: ).*/gu) ?? []);
    expect(actions.length).toBeGreaterThan(5);
    for (const action of actions) expect(action).toMatch(/^[\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/u);
    for (const [, text] of workflows) expect(text).toMatch(/runs-on: ubuntu-\d/u);
    // The majors that run on the Node of today's runners, with the cache of npm.
    const majors = new Set(actions.map((action) => action.replace(/@.* # (?<major>v\d+)\..*$/u, " $<major>")));
    expect([...majors].toSorted()).toEqual(["actions/checkout v7", "actions/setup-node v7"]);
    for (const [, text] of workflows)
      expect(text.match(/^ +cache: npm$/gmu)).toHaveLength(text.match(/setup-node@/gu)?.length ?? 0);
    const { image, features } = JSON.parse(files[".devcontainer/devcontainer.json"] ?? "") as {
      readonly image: string;
      readonly features: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    };
    expect(image).toMatch(/:\d+\.\d+\.\d+-22-bookworm$/u);
    for (const [feature, options] of Object.entries(features)) {
      expect([feature, options["version"]]).toEqual([
        expect.stringMatching(/:\d+\.\d+\.\d+$/u),
        expect.stringMatching(/^\d+\.\d+\.\d+$/u),
      ]);
    }
    expect(files[".devcontainer/post-create.mjs"]).toContain('"install-kind"');
    for (const text of Object.values(files))
      expect(text).not.toMatch(/[@:]latest\b(?<!controller:latest|kubescaffold@latest)/u);
  });

  it("has configurations of editors for the port of `scaffold dev --inspect`, which git does not ignore", async () => {
    const files = await newProject();
    const port = devCommand.flags.find(({ name }) => name === "inspect")?.impliedValue;
    const { configurations } = JSON.parse(files[".vscode/launch.json"] ?? "") as {
      readonly configurations: readonly Readonly<Record<string, unknown>>[];
    };
    expect(configurations).toMatchObject([
      { request: "attach", port: Number(port), restart: true },
      { request: "launch", program: "${workspaceFolder}/node_modules/vitest/vitest.mjs" },
    ]);
    expect(files[".run/attach-to-scaffold-dev.run.xml"]).toContain(`port="${port}" restartOnDisconnect="true"`);
    expect(files[".gitignore"]).toContain("\n.vscode/*\n!.vscode/launch.json\n");
  });

  it("generates once when make tests", async () => {
    const { Makefile = "" } = await newProject();
    expect(Makefile).toMatch(
      /^test: manifests generate vet .*\n\tnpm test --ignore-scripts -- \$\(addprefix --kubernetes=,\$\(KUBERNETES\)\)$/mu,
    );
  });

  it("is free of what templates are made with", async () => {
    for (const text of Object.values(await newProject())) expect(text).not.toMatch(/\{\{[#/a-z]|__[a-z]+__/u);
  });
});
