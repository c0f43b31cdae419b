import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import type { FormerRun } from "../../src/cli/command.ts";
import { FormerProgramError } from "../../src/cli/errors.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { definePlugin } from "../../src/plugin/index.ts";
import type { PluginRegistry } from "../../src/plugin/registry.ts";
import { CREATE_API, INIT, runCommand, runCommands, STANDARD_REGISTRY } from "../support/run-command.ts";
import { readFiles, temporaryFolder } from "../support/temporary-folder.ts";

// The next version: it writes one file more, and one line of the Makefile differently.
const next = definePlugin({
  key: "next.example.com/v1",
  description: "",
  templates: { below: () => ({}) },
  init: ({ tree }) => {
    tree.create("NEW.md", "new\n");
    tree.update("Makefile", (text) => `${text}\n.PHONY: next\nnext:\n\ttrue\n`);
    tree.update("Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM next"));
  },
});
const [bundle] = STANDARD_REGISTRY.bundles;
const NEXT_REGISTRY: PluginRegistry = {
  ...STANDARD_REGISTRY,
  bundles: STANDARD_REGISTRY.bundles.map((each) =>
    each === bundle ? { ...each, plugins: [...each.plugins, next] } : each,
  ),
};
const BRANCH = "kubescaffold-update-from-0.1.0-to-0.2.0";

const runFormer: FormerRun = async ({ version, input, output }) => {
  expect(version).toBe("0.1.0");
  await runCommands(input, `alpha generate --make=false --input-dir ${input} --output-dir ${output}`);
};

async function update(
  root: string,
  flags = "",
  former: FormerRun = runFormer,
): Promise<{ readonly status: number; readonly stdout: string; readonly stderr: string }> {
  let [stdout, stderr] = ["", ""];
  const terminal = {
    isInteractive: false,
    writeOut: (text: string) => (stdout += text),
    writeError: (text: string) => (stderr += text),
  };
  const packageRoot = fileURLToPath(new URL("../..", import.meta.url));
  const program = {
    name: "scaffold",
    version: "0.2.0",
    packageRoot,
    registry: async () => NEXT_REGISTRY,
    runFormer: former,
  };
  const args = ["alpha", "update", ...flags.split(" ").filter((word) => word !== "")];
  const status = await runCli({ args, cwd: root, terminal, program });
  return { status, stdout, stderr };
}

function git(root: string, ...words: readonly string[]): string {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com"];
  return execFileSync("git", [...identity, ...words], { cwd: root, encoding: "utf8", stdio: ["pipe", "pipe", "pipe"] });
}

function commit(root: string): void {
  git(root, "add", "-A");
  git(root, "commit", "-q", "-m", "mine");
}

async function project(change: (root: string) => void = () => undefined): Promise<string> {
  const root = temporaryFolder();
  await runCommands(root, INIT, CREATE_API);
  git(root, "init", "-q", "-b", "main");
  change(root);
  commit(root);
  return root;
}

function edit(root: string, file: string, change: (text: string) => string): void {
  writeFileSync(path.join(root, file), change(readFileSync(path.join(root, file), "utf8")));
}

function mine(root: string): void {
  edit(root, "internal/controller/guestbook_controller.ts", (text) => `${text}// mine\n`);
  edit(root, "Makefile", (text) => `# mine\n${text}`);
  writeFileSync(path.join(root, "own.txt"), "own\n");
}

// The work tree, HEAD, the branch and the index: all that an update must leave alone.
function state(root: string): unknown {
  const files = Object.entries(readFiles(root)).filter(([name]) => !name.startsWith(".git/"));
  return [
    files,
    git(root, "rev-parse", "HEAD", "main"),
    git(root, "symbolic-ref", "HEAD"),
    git(root, "status", "--porcelain"),
    git(root, "for-each-ref", "refs/kubescaffold"),
  ];
}

describe("alpha update", () => {
  it("puts what is new and what is the user's together in one commit on a branch, and touches nothing else", async () => {
    const root = await project(mine);
    const before = state(root);
    expect(await update(root)).toMatchObject({ status: 0, stdout: expect.stringContaining(BRANCH), stderr: "" });
    expect(state(root)).toEqual(before);
    expect(git(root, "rev-list", "--count", `main..${BRANCH}`)).toBe("1\n");
    expect(git(root, "diff", "--name-only", "main", BRANCH).split("\n")).toEqual([
      "Dockerfile",
      "Makefile",
      "NEW.md",
      "PROJECT",
      "",
    ]);
    const makefile = git(root, "show", `${BRANCH}:Makefile`);
    expect(makefile).toMatch(/^# mine\n[^]*\nnext:\n/u);
    expect(git(root, "show", `${BRANCH}:PROJECT`)).toContain("cliVersion: 0.2.0\n");
    expect(git(root, "show", `${BRANCH}:internal/controller/guestbook_controller.ts`)).toMatch(/\/\/ mine\n$/u);
    expect(git(root, "log", "-1", "--format=%s", BRANCH)).toBe("Update the scaffold from 0.1.0 to 0.2.0\n");
  });

  it("does not bring back what the user deleted", async () => {
    const root = await project((folder) => rmSync(path.join(folder, "AGENTS.md")));
    expect(await update(root)).toMatchObject({ status: 0 });
    expect(git(root, "ls-tree", "-r", "--name-only", BRANCH)).not.toContain("AGENTS.md");
  });

  it("stops at a conflict, leaves the merge on a branch for it, and goes through with it when it is forced", async () => {
    const root = await project((folder) =>
      edit(folder, "Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM mine")),
    );
    const before = state(root);
    const refused = await update(root);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_UPDATE_CONFLICT") });
    expect(refused.stderr).toContain("\n  Dockerfile");
    expect(state(root)).toEqual(before);
    expect(git(root, "branch", "--list", BRANCH)).toBe("");
    const marked =
      /^<<<<<<< kubescaffold\/project\nFROM mine\n=======\nFROM next\n>>>>>>> kubescaffold\/scaffold-0\.2\.0$/mu;
    expect(git(root, "show", `${BRANCH}-work:Dockerfile`)).toMatch(marked);
    const forced = await update(root, "--force");
    expect(forced).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Resolve the conflicts in:\n  Dockerfile\n"),
    });
    expect(git(root, "show", `${BRANCH}:Dockerfile`)).toMatch(marked);
    expect(git(root, "log", "-1", "--format=%s", BRANCH)).toContain("with conflicts");
    expect(state(root)).toEqual(before);
  });

  it("keeps the paths that it is told to, which then are no conflicts", async () => {
    const root = await project((folder) =>
      edit(folder, "Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM mine")),
    );
    expect(await update(root, "--restore-path Dockerfile,NEW.md")).toMatchObject({ status: 0 });
    expect(git(root, "diff", "--name-only", "main", BRANCH).split("\n")).toEqual(["Makefile", "PROJECT", ""]);
  });

  it("shows the history of the merge when it is asked to", async () => {
    const root = await project(mine);
    expect(await update(root, "--show-commits --merge-message Merged")).toMatchObject({ status: 0 });
    expect(git(root, "log", "--format=%s", `main..${BRANCH}`).split("\n").toSorted()).toEqual([
      "",
      "Merged",
      "Scaffold of version 0.1.0",
      "Scaffold of version 0.2.0",
    ]);
    expect(git(root, "show", `${BRANCH}:own.txt`)).toBe("own\n");
  });

  it("pushes the branch when it is asked to", async () => {
    const root = await project();
    const remote = temporaryFolder();
    git(remote, "init", "-q", "--bare");
    git(root, "remote", "add", "origin", remote);
    expect(await update(root, "--push")).toMatchObject({ status: 0 });
    expect(git(remote, "rev-parse", BRANCH)).toBe(git(root, "rev-parse", BRANCH));
  });

  it("does nothing when the versions are equal", async () => {
    const root = await project();
    const result = await update(root, "--from-version v0.2.0");
    expect(result).toMatchObject({ status: 0, stdout: expect.stringContaining("nothing to update") });
    expect(git(root, "branch", "--list", "kubescaffold*")).toBe("");
  });

  it.for([
    [
      "changes that git does not have",
      "",
      (root: string) => edit(root, "Makefile", (text) => `${text}# x\n`),
      "changes that git does not have",
    ],
    ["a branch that is not there", "--from-branch none", () => undefined, "it has no branch none"],
    [
      "a branch without a project",
      "--from-branch empty",
      (root: string) =>
        git(
          root,
          "branch",
          "empty",
          git(root, "commit-tree", "-m", "x", git(root, "mktree", "--missing").trim()).trim(),
        ),
      "no file PROJECT",
    ],
    [
      "a PROJECT without a version",
      "",
      (root: string) => {
        edit(root, "PROJECT", (text) => text.replace(/^cliVersion.*\n/mu, ""));
        commit(root);
      },
      "PROJECT does not say",
    ],
    ["paths to restore in a history", "--show-commits --restore-path a", () => undefined, "CLI_INVALID_FLAG"],
    ["a branch that exists", "", (root: string) => git(root, "branch", BRANCH), "it exists"],
    ["a name that is no branch", "--output-branch a..b", () => undefined, "CLI_INVALID_FLAG"],
    ["a push without a remote", "--push", () => undefined, "git push origin"],
  ] as const)("refuses %s", async ([, flags, prepare, message]) => {
    const root = await project();
    prepare(root);
    const before = state(root);
    const { status, stderr } = await update(root, flags);
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
    expect(state(root)).toEqual(before);
  });

  it("refuses a folder that is no repository, and a project in a folder of one", async () => {
    const outside = temporaryFolder();
    await runCommands(outside, INIT);
    expect(await update(outside)).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_UPDATE_REFUSED") });
    const root = await project();
    mkdirSync(path.join(root, "below"));
    await runCommands(path.join(root, "below"), INIT);
    commit(root);
    const result = await update(path.join(root, "below"));
    expect(result).toMatchObject({ status: 1, stderr: expect.stringContaining("at the root of its repository") });
  });

  it("leaves no trace when the former version does not run", async () => {
    const root = await project();
    const before = state(root);
    const folders = (): readonly string[] =>
      readdirSync(tmpdir()).filter((name) => name.startsWith("kubescaffold-update-"));
    const known = folders();
    const { status, stderr } = await update(root, "", async () => {
      throw new FormerProgramError("cannot install version 0.1.0");
    });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("CLI_FORMER_PROGRAM") });
    expect(state(root)).toEqual(before);
    expect(folders()).toEqual(known);
    expect(existsSync(path.join(root, ".kubescaffold"))).toBe(false);
  });

  it("is told of in help", async () => {
    expect((await runCommand(temporaryFolder(), "alpha update --help")).stdout).toContain("--restore-path");
  });
});
