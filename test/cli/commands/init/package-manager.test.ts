import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";

import { readYaml } from "@kubescaffold/k8s/yaml";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { withManager } from "../../../../src/project/package-manager.ts";
import { listSources, readSource } from "../../../architecture/source-files.ts";
import { SINGLE_GROUP } from "../../../support/go-projects.ts";
import { CREATE_API, CREATE_WEBHOOK, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../support/temporary-folder.ts";

const VERSIONS = { pnpm: "12.1.0", yarn: "4.1.0", bun: "1.4.5" } as const;
type Name = keyof typeof VERSIONS;
const NAMES = Object.keys(VERSIONS) as readonly Name[];

// Programs that print their version; what they install is the subject of the journeys.
function installPrograms(versions: Readonly<Record<string, string>>): void {
  const folder = temporaryFolder();
  for (const [name, version] of Object.entries(versions)) {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho ${version}\n`);
    chmodSync(file, 0o755);
  }
  vi.stubEnv("PATH", `${folder}${path.delimiter}/usr/bin${path.delimiter}/bin`);
}

beforeEach(() => {
  vi.stubEnv("npm_config_user_agent", undefined);
  installPrograms(VERSIONS);
  return () => vi.unstubAllEnvs();
});

async function projectOf(name: Name): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, `${INIT} --package-manager ${name}`);
  return root;
}

// The registry, its packages, and the name by which Dependabot knows all of its clients but bun.
const OTHER_NPM =
  /npm packages|Programs from npm|programs from npm|package-ecosystem: npm|npm view|npx --yes|"npm", "install", "--global"/gu;

describe.each(NAMES)("a project of %s", (name) => {
  it("names no command of npm in any file", async () => {
    const root = await projectOf(name);
    await runCommands(
      root,
      CREATE_API,
      CREATE_WEBHOOK,
      "create api --group webapp --version v1 --kind Cache --image=memcached:1.6 --plugins=deploy-image/v1-alpha --make=false",
      "edit --plugins=grafana/v1-alpha,autoupdate/v1-alpha",
      "edit --plugins=helm/v2-alpha",
    );
    const files = Object.entries(readFiles(root));
    expect(files.length).toBeGreaterThan(70);
    for (const [file, text] of files)
      expect([file, ...(text.replaceAll(OTHER_NPM, "").match(/^.*(?<![\w-])(?:npm|npx)\b.*$/gmu) ?? [])]).toEqual([
        file,
      ]);
  });

  it("pins the manager, and installs exactly what the lock file says, in the image and in workflows", async () => {
    const root = await projectOf(name);
    const files = readFiles(root);
    const lockFile = { pnpm: "pnpm-lock.yaml", yarn: "yarn.lock", bun: "bun.lock" }[name];
    const install = {
      pnpm: "pnpm install --frozen-lockfile",
      yarn: "yarn install --immutable",
      bun: "bun install --frozen-lockfile",
    }[name];
    expect(JSON.parse(files["package.json"] ?? "")).toMatchObject({ packageManager: `${name}@${VERSIONS[name]}` });
    expect(readYaml(files["PROJECT"] ?? "")).toMatchObject({
      plugins: { "base.ts.kubescaffold.dev/v1": { packageManager: `${name}@${VERSIONS[name]}` } },
    });
    expect(files["Dockerfile"]).toMatch(new RegExp(String.raw`^COPY package\.json ${lockFile}\* `, "mu"));
    expect(files["Dockerfile"]).toContain(`if [ -f ${lockFile} ]; then ${install};`);
    expect(files[".dockerignore"]?.split("\n")).toContain(`!${lockFile}`);
    expect(files["README.md"]).toContain(`writes \`${lockFile}\``);
    for (const workflow of ["lint", "test", "test-e2e"]) {
      const { jobs } = readYaml(files[`.github/workflows/${workflow}.yml`] ?? "") as Workflow;
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      expect(steps.map(({ run }) => run)).toContain(install);
      const caches = steps.filter(
        ({ uses = "", with: settings }) => uses.startsWith("actions/cache@") || settings?.["cache"] === name,
      );
      expect(caches).toHaveLength(1);
    }
  });

  it("lets esbuild, and no other package, run its install script", async () => {
    const files = readFiles(await projectOf(name));
    const manifest = JSON.parse(files["package.json"] ?? "") as Readonly<Record<string, unknown>>;
    expect(manifest["allowScripts"]).toBeUndefined();
    expect(readYaml(files["pnpm-workspace.yaml"] ?? "{}")).toEqual(
      name === "pnpm" ? { allowBuilds: { esbuild: true }, onlyBuiltDependencies: ["esbuild"] } : {},
    );
    expect(manifest["dependenciesMeta"]).toEqual(name === "yarn" ? { esbuild: { built: true } } : undefined);
    expect(manifest["trustedDependencies"]).toEqual(name === "bun" ? ["esbuild"] : undefined);
    expect(files[".yarnrc.yml"] !== undefined).toBe(name === "yarn");
  });

  it("stays one in commands after it", async () => {
    const root = await projectOf(name);
    const { stdout } = await runCommand(root, CREATE_API);
    expect(stdout).toContain(`  ${name} run manifests && ${name} run generate    # or: make`);
    const doctor = await runCommand(root, "doctor");
    expect(doctor.stdout).toContain(`  run ${name} run manifests and ${name} run generate, or run with --fix\n`);
    expect(doctor.stdout).not.toMatch(/(?<![\w-])(?:npm|npx) /u);
    expect((await runCommand(root, "edit --show")).stdout).toContain(`package manager    ${name}@${VERSIONS[name]}\n`);
    const regenerated = await runCommand(root, "alpha generate --make=false --force --output-dir again");
    expect(regenerated.stdout).toContain(`cd again && ${name} install\n`);
    const before = readFiles(root);
    const { "package.json": _moved, ...again } = readFiles(path.join(root, "again"));
    for (const [file, text] of Object.entries(again)) expect([file, text]).toEqual([file, before[file]]);
    writeFiles(root, { PROJECT: "" });
    await runCommands(root, "alpha restore-project --force");
    expect(readFiles(root)["PROJECT"]).toContain(`packageManager: ${name}@${VERSIONS[name]}\n`);
  });
});

interface Workflow {
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly steps: readonly {
          readonly run?: string;
          readonly uses?: string;
          readonly with?: Readonly<Record<string, unknown>>;
        }[];
      }
    >
  >;
}

describe("the package manager of init", () => {
  it.each([
    ["a lock file", { "pnpm-lock.yaml": "lockfileVersion: '9.0'\n" }, undefined, "pnpm@12.1.0"],
    ["the field of package.json", { "package.json": '{ "packageManager": "bun@1.3.0" }\n' }, undefined, "bun@1.3.0"],
    ["the program that started it", {}, "pnpm/12.0.1 npm/? node/v22.0.0", "pnpm@12.0.1"],
  ])("is that of %s", async (_sign, files, userAgent, expected) => {
    vi.stubEnv("npm_config_user_agent", userAgent);
    const root = temporaryFolder(files);
    const { stdout } = await runCommand(root, INIT);
    expect(stdout).toContain(`\n  ${expected.split("@")[0]} install\n`);
    const made = readFiles(root);
    expect(made["PROJECT"]).toContain(`packageManager: ${expected}\n`);
    expect(JSON.parse(made["package.json"] ?? "")).toMatchObject({ packageManager: expected });
  });

  it("is npm without a sign of another one, which leaves no trace", async () => {
    const root = temporaryFolder();
    await runCommands(root, `${INIT} --package-manager npm`);
    const explicit = readFiles(root);
    const other = temporaryFolder();
    await runCommands(other, INIT.replace(" --skip-install", " --dry-run=false --skip-install"));
    const plain = readFiles(other);
    expect(Object.keys(explicit)).toEqual(Object.keys(plain));
    expect(explicit["PROJECT"]).toBe(plain["PROJECT"]);
    expect(Object.values(plain).join("\n")).not.toMatch(/pnpm|yarn|\bbun\b|packageManager/u);
  });

  it.each(NAMES)("has to be installed: %s", async (name) => {
    installPrograms({});
    for (const line of [
      `${INIT} --package-manager ${name}`,
      `import project go --output-dir ts --skip-install --package-manager ${name}`,
    ]) {
      const root = temporaryFolder(
        Object.fromEntries(Object.entries(SINGLE_GROUP).map(([file, text]) => [`go/${file}`, text])),
      );
      const before = readFiles(root);
      const { status, stderr } = await runCommand(root, line);
      expect(status).toBe(1);
      expect(stderr).toContain(
        `error: cannot run ${name}: no such program [CLI_PROGRAM_NOT_FOUND]\nhint: install ${name}, `,
      );
      expect(stderr.match(/^error:/gmu)).toHaveLength(1);
      expect(readFiles(root)).toEqual(before);
    }
  });

  it("has to print its version", async () => {
    installPrograms({ pnpm: "not a version" });
    const root = temporaryFolder();
    const { status, stderr } = await runCommand(root, `${INIT} --package-manager pnpm`);
    expect(status).toBe(1);
    expect(stderr).toContain("error: cannot use pnpm: ");
    expect(readFiles(root)).toEqual({});
  });

  it("is one of those that are known", async () => {
    const { status, stderr } = await runCommand(temporaryFolder(), `${INIT} --package-manager deno`);
    expect(status).toBe(1);
    expect(stderr).toContain("npm, pnpm, yarn, bun");
  });
});

it("a yarn before version 2 has the flags of its own", async () => {
  installPrograms({ yarn: "1.22.22" });
  const files = readFiles(await projectOf("yarn"));
  expect(files["Dockerfile"]).toContain("then yarn install --frozen-lockfile; else yarn install; fi");
  expect(files["README.md"]).toContain("`npx kubescaffold@latest alpha update`");
  expect(files[".yarnrc.yml"]).toBeUndefined();
});

it("an imported project has the package manager of the flag", async () => {
  const root = temporaryFolder();
  writeFiles(root, Object.fromEntries(Object.entries(SINGLE_GROUP).map(([file, text]) => [`go/${file}`, text])));
  const line = "import project go --output-dir ts --skip-install --package-manager pnpm";
  const { stdout } = await runCommand(root, line);
  expect(stdout).toContain("  pnpm install\n  pnpm test\n");
  expect(stdout).toContain("run `pnpm install`, `pnpm run vet`, and `pnpm test`");
  const made = readFiles(path.join(root, "ts"));
  expect(made["PROJECT"]).toContain("packageManager: pnpm@12.1.0\n");
  expect(made["pnpm-workspace.yaml"]).toBeDefined();
});

it("doctor finds files of a package manager that the project was not scaffolded for", async () => {
  const root = temporaryFolder();
  await runCommands(root, INIT);
  writeFiles(root, { "pnpm-lock.yaml": "" });
  const { stdout } = await runCommand(root, "doctor");
  expect(stdout).toContain(
    "note: PROJECT: package.json or the lock file is of pnpm, but the project was scaffolded for npm\n",
  );
});

// What stays of npm in a project of another manager: its packages and its registry, and the two steps that run npm itself.
const REMAINING = [
  /npm packages?\b/gu,
  /npm registry/gu,
  /npm pack\b/gu,
  /that npm is configured for/gu,
  /such as npm or kubectl/gu,
  /skips npm\b/gu,
  /install Node\.js with npm/gu,
  /install npm, which is part of Node\.js/gu,
  /with npm: \$/gu,
];

it("no message names a command of npm to the user of another one", () => {
  const found = listSources()
    .filter(
      (file) =>
        /^(?:src|plugins)\//u.test(file) && !file.includes("/generated/") && file !== "src/project/package-manager.ts",
    )
    .flatMap((file) => messagesIn(readSource(file)).map((text) => [file, text] as const));
  expect(found.length).toBeGreaterThan(60);
  for (const [file, text] of found) {
    const shown = REMAINING.reduce(
      (each, pattern) => each.replaceAll(pattern, ""),
      withManager(text, { name: "pnpm" }),
    );
    expect([file, ...(shown.match(/(?<![\w-])(?:npm|npx) [a-z].*/gu) ?? [])]).toEqual([file]);
  }
});

// The strings with a command, without comments.
function messagesIn(source: string): readonly string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\//gu, "").replaceAll(/(?<=^|\s)\/\/.*$/gmu, "");
  return (code.match(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\[\s\S])*`/gu) ?? []).filter((text) =>
    /(?<![\w-])(?:npm|npx) /u.test(text),
  );
}
