import { execFileSync, spawnSync, type SpawnSyncReturns } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { INIT, runCommand, runCommands } from "../../../test/support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../../../test/support/temporary-folder.ts";

const EDIT = "edit --plugins=autoupdate/v1-alpha";
const FILE = ".github/workflows/auto_update.yml";

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, unknown>>;
  readonly run?: string;
}

interface Workflow {
  readonly on: { readonly schedule: readonly { readonly cron: string }[]; readonly workflow_dispatch: unknown };
  readonly permissions: object;
  readonly jobs: Readonly<
    Record<
      string,
      {
        readonly permissions: object;
        readonly needs?: string;
        readonly if?: string;
        readonly outputs?: object;
        readonly steps: readonly Step[];
      }
    >
  >;
}

async function project(): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, EDIT);
  return root;
}

async function workflow(): Promise<Workflow> {
  const root = await project();
  return parse(readFiles(root)[FILE] ?? "") as Workflow;
}

async function steps(name?: "update" | "propose"): Promise<readonly Step[]> {
  const { jobs } = await workflow();
  return Object.entries(jobs).flatMap(([key, job]) => (name === undefined || key === name ? job.steps : []));
}

async function scriptOf(name: string): Promise<string> {
  return (await steps()).find((step) => step.name === name)?.run ?? "";
}

function git(cwd: string, ...words: readonly string[]): string {
  return execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function runScript(cwd: string, script: string, more: Readonly<Record<string, string>> = {}): SpawnSyncReturns<string> {
  const env = { ...process.env, BRANCH: "kubescaffold-update", FROM_BRANCH: "main", ...more };
  return spawnSync("bash", ["-e", "-o", "pipefail", "-c", script], { cwd, env, encoding: "utf8" });
}

// Runs the first job with an npx that commits these files in place of an update, and an npm that writes a lock file.
async function updatedRepository(
  files: Readonly<Record<string, string>> = { "NEW.md": "new\n" },
  { commits = 1 }: { readonly commits?: number } = {},
): Promise<{ readonly origin: string; readonly bundle: string; readonly made: SpawnSyncReturns<string> }> {
  const [origin, temp] = [temporaryFolder({ "package-lock.json": "former\n" }), temporaryFolder()];
  git(origin, "init", "-q", "-b", "main");
  git(origin, "add", "-A");
  git(origin, "commit", "-q", "-m", "mine");
  const clone = path.join(temp, "clone");
  git(temp, "clone", "-q", origin, clone);
  const identity = "git -c user.name=t -c user.email=t@example.com";
  const commit = `${identity} add -A && ${identity} commit -q --allow-empty -m "Update the scaffold"`;
  const npx = [
    "#!/bin/sh -e",
    'git switch -q -c "$BRANCH"',
    'cp -R "$UPDATE"/. .',
    ...Array.from({ length: commits }, () => commit),
    "git switch -q main",
  ];
  writeFiles(temp, {
    "bin/npx": `${npx.join("\n")}\n`,
    "bin/npm": '#!/bin/sh\nif [ "$1" = view ]; then echo 0.2.0; else echo fits > package-lock.json; fi\n',
    output: "",
  });
  for (const name of ["npx", "npm"]) chmodSync(path.join(temp, "bin", name), 0o755);
  const names = ["Merge the newest scaffold", "Update the lock file", "Pack the commit"];
  const scripts = await Promise.all(names.map(scriptOf));
  const made = runScript(clone, scripts.join("\n"), {
    PATH: `${path.join(temp, "bin")}${path.delimiter}${process.env["PATH"] ?? ""}`,
    UPDATE: temporaryFolder(files),
    RUNNER_TEMP: temp,
    GITHUB_OUTPUT: path.join(temp, "output"),
  });
  expect(readFiles(temp)["output"]).toBe("updated=true\n");
  return { origin, bundle: temp, made };
}

async function unpack(
  origin: string,
  bundle: string,
): Promise<{ readonly status: number | null; readonly stderr: string; readonly clone: string }> {
  const clone = path.join(temporaryFolder(), "clone");
  git(bundle, "clone", "-q", origin, clone);
  const { status, stderr } = runScript(clone, await scriptOf("Unpack the commit"), { RUNNER_TEMP: bundle });
  return { status, stderr, clone };
}

describe("the workflow", () => {
  it("runs once a week and by hand, with no more permissions than its job needs", async () => {
    const { on, permissions, jobs } = await workflow();
    expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
    expect(on.schedule).toEqual([{ cron: "0 0 * * 2" }]);
    expect(permissions).toEqual({});
    expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
      ["update", { contents: "read" }],
      ["propose", { contents: "write", "pull-requests": "write" }],
    ]);
  });

  it("runs nothing of the project, of npm, or of the update in the job that can write", async () => {
    const { needs, if: condition } = (await workflow()).jobs["propose"] ?? {};
    expect({ needs, condition }).toEqual({ needs: "update", condition: "needs.update.outputs.updated == 'true'" });
    const writing = await steps("propose");
    expect(writing.flatMap(({ uses = [] }) => uses).map((uses) => uses.replace(/@.*$/u, ""))).toEqual([
      "actions/checkout",
      "actions/download-artifact",
    ]);
    for (const { run = "" } of writing) {
      expect(run).not.toMatch(/\b(?:npm|npx|node|make|scaffold|corepack)\b/u);
      expect(run).not.toMatch(/\bgit (?:switch|checkout|merge|rebase|worktree|submodule|lfs)\b/u);
    }
  });

  it("pins the program to the version that made the project, and hands it the newest one as a version", async () => {
    const script = await scriptOf("Merge the newest scaffold");
    const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { readonly version: string };
    expect(script).toContain(`npx --yes kubescaffold@${version} alpha update `);
    expect(script).toContain('--to-version "$newest"');
  });

  it("pins its actions by commit, and keeps no credentials", async () => {
    const used = (await steps()).filter((step) => step.uses !== undefined);
    expect(used.length).toBeGreaterThan(1);
    for (const { uses = "" } of used) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/u);
    const checkouts = used.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkouts).toHaveLength(2);
    for (const checkout of checkouts)
      expect(checkout.with).toMatchObject({ "persist-credentials": false, "fetch-depth": 0 });
  });

  it("gives its token to the steps that push and propose alone, never to what npm fetched", async () => {
    const withToken = (await steps()).filter((step) => JSON.stringify(step).includes("github.token"));
    expect(withToken.map(({ name }) => name)).toEqual(["Push the branch", "Open or update the pull request"]);
    expect(withToken.some(({ run = "" }) => /\bnp[mx]\b/u.test(run))).toBe(false);
    expect(JSON.stringify(await steps("update"))).not.toMatch(/github\.token|secrets\./u);
    expect(withToken[0]?.env).toMatchObject({ GIT_CONFIG_KEY_0: "core.hooksPath", GIT_CONFIG_VALUE_0: "/dev/null" });
  });

  it("puts nothing that is not fixed into the text of a script", async () => {
    for (const { run = "" } of await steps()) expect(run).not.toContain("${{");
  });

  it("calls alpha update with flags that it has", async () => {
    const run = (await steps()).map((step) => step.run ?? "").join("\n");
    const line = run.split("\n").find((each) => each.includes("alpha update")) ?? "";
    const command = COMMANDS.find((each) => each.path.join(" ") === "alpha update");
    const known = command?.flags.map(({ name }) => `--${name}`) ?? [];
    const given = [...line.slice(line.indexOf("alpha update")).matchAll(/--[\w-]+/gu)].map(([flag]) => flag);
    expect(given.length).toBeGreaterThan(2);
    expect(known).toEqual(expect.arrayContaining(given));
  });

  describe("hands the update from one job to the other", () => {
    it("as one commit, with a lock file that fits", async () => {
      const { origin, bundle, made } = await updatedRepository();
      expect(made.status).toBe(0);
      const { status, clone } = await unpack(origin, bundle);
      expect(status).toBe(0);
      expect(git(clone, "show", "kubescaffold-update:package-lock.json")).toBe("fits\n");
      expect(git(clone, "log", "-1", "--format=%s", "kubescaffold-update")).toBe("Update the scaffold\n");
      expect(git(clone, "symbolic-ref", "--short", "HEAD")).toBe("main\n");
    });

    it("and refuses one that changes workflows", async () => {
      const { origin, bundle } = await updatedRepository({ ".github/workflows/steal.yml": "on: push\n" });
      expect(await unpack(origin, bundle)).toMatchObject({ status: 1, stderr: expect.stringContaining("workflows") });
    });

    it("and refuses more than one commit", async () => {
      const { origin, bundle } = await updatedRepository({ "x.txt": "x" }, { commits: 2 });
      expect(await unpack(origin, bundle)).toMatchObject({ status: 1, stderr: expect.stringContaining("one commit") });
    });
  });

  it("pushes with the token in a header that git takes from the environment", async () => {
    const push = (await steps()).find(({ name }) => name === "Push the branch");
    const [root, remote] = [temporaryFolder({ "a.txt": "a" }), temporaryFolder()];
    git(remote, "init", "-q", "--bare");
    git(root, "init", "-q", "-b", "kubescaffold-update");
    git(root, "add", "-A");
    git(root, "commit", "-q", "-m", "x");
    git(root, "remote", "add", "origin", remote);
    writeFiles(root, { ".git/hooks/pre-push": "#!/bin/sh\nexit 1\n" });
    execFileSync("chmod", ["+x", path.join(root, ".git/hooks/pre-push")]);
    const fixed = Object.entries(push?.env ?? {}).map(([key, value]) => [
      key,
      String(value).replace("${{ github.server_url }}", "https://example.com"),
    ]);
    const env = {
      ...process.env,
      ...(Object.fromEntries(fixed) as Record<string, string>),
      BRANCH: "kubescaffold-update",
      GITHUB_TOKEN: "secret",
    };
    const script = `${push?.run ?? ""}\ngit config --get-urlmatch http.extraheader https://example.com/a/b\n`;
    const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", script], { cwd: root, env, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    expect(stdout).toContain(`AUTHORIZATION: basic ${Buffer.from("x-access-token:secret").toString("base64")}`);
    expect(git(remote, "rev-parse", "kubescaffold-update")).toBe(git(root, "rev-parse", "HEAD"));
  });
});

describe("edit --plugins=autoupdate/v1-alpha", () => {
  it("is recorded, and writes the same again, over what was there", async () => {
    const root = await project();
    const files = readFiles(root);
    expect(files["PROJECT"]).toContain("plugins:\n  autoupdate.kubescaffold.dev/v1-alpha: {}\n");
    writeFiles(root, { [FILE]: "mine\n" });
    await runCommands(root, EDIT);
    expect(readFiles(root)).toEqual(files);
  });

  it("refuses a project that does not say which version made it", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    writeFiles(root, { PROJECT: (readFiles(root)["PROJECT"] ?? "").replace(/^cliVersion.*\n/mu, "") });
    const files = readFiles(root);
    const { status, stderr } = await runCommand(root, EDIT);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("AUTOUPDATE_NO_VERSION") });
    expect(readFiles(root)).toEqual(files);
  });

  it.each([
    ["0.1.0; id", "PROJECT_INVALID"],
    ["0.1", "AUTOUPDATE_INEXACT_VERSION"],
  ])("refuses a project whose recorded version is %s, before it becomes part of a script", async (version, code) => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const hostile = (readFiles(root)["PROJECT"] ?? "").replace(/^cliVersion.*$/mu, `cliVersion: "${version}"`);
    writeFiles(root, { PROJECT: hostile });
    const { status, stderr } = await runCommand(root, EDIT);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(code) });
    expect(Object.keys(readFiles(root))).not.toContain(FILE);
  });

  it("is regenerated by alpha generate", async () => {
    const root = await project();
    await runCommands(root, "alpha generate --make=false --output-dir again");
    const files = readFiles(root);
    expect(files[`again/${FILE}`]).toBe(files[FILE]);
  });
});
