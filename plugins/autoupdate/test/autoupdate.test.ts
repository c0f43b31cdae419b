import { execFileSync, spawnSync } from "node:child_process";
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
      { readonly permissions: object; readonly env: Readonly<Record<string, string>>; readonly steps: readonly Step[] }
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

async function steps(): Promise<readonly Step[]> {
  return Object.values((await workflow()).jobs).flatMap((job) => job.steps);
}

describe("the workflow", () => {
  it("runs once a week and by hand, with no more permissions than its job needs", async () => {
    const { on, permissions, jobs } = await workflow();
    expect(Object.keys(on)).toEqual(["schedule", "workflow_dispatch"]);
    expect(on.schedule).toEqual([{ cron: "0 0 * * 2" }]);
    expect(permissions).toEqual({});
    expect(Object.values(jobs).map((job) => job.permissions)).toEqual([
      { contents: "write", "pull-requests": "write" },
    ]);
  });

  it("pins its actions by commit, and keeps no credentials", async () => {
    const used = (await steps()).filter((step) => step.uses !== undefined);
    expect(used.length).toBeGreaterThan(1);
    for (const { uses = "" } of used) expect(uses).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/u);
    const checkout = used.find(({ uses }) => uses?.startsWith("actions/checkout@"));
    expect(checkout?.with).toMatchObject({ "persist-credentials": false, "fetch-depth": 0 });
  });

  it("gives its token to the steps that push and propose alone, never to what npm fetched", async () => {
    const withToken = (await steps()).filter((step) => JSON.stringify(step).includes("github.token"));
    expect(withToken.map(({ name }) => name)).toEqual([
      "Push the branch",
      "Open a pull request, or bring its text up to date",
    ]);
    expect(withToken.some(({ run = "" }) => /\bnp[mx]\b/u.test(run))).toBe(false);
    expect(withToken.every((step) => step.if?.includes("updated == 'true'"))).toBe(true);
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

  it("pushes with the token in a header that git takes from the environment", async () => {
    const push = (await steps()).find(({ name }) => name === "Push the branch");
    const [root, remote] = [temporaryFolder({ "a.txt": "a" }), temporaryFolder()];
    const git = (cwd: string, ...words: readonly string[]): string =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...words], { cwd, encoding: "utf8" });
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

  it("is made again by alpha generate", async () => {
    const root = await project();
    await runCommands(root, "alpha generate --make=false --output-dir again");
    const files = readFiles(root);
    expect(files[`again/${FILE}`]).toBe(files[FILE]);
  });
});
