import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

import { describe, expect, it, onTestFinished, vi } from "vitest";

import { runCli } from "../../../../src/cli/run-cli.ts";
import { definePlugin } from "../../../../src/plugin/index.ts";
import type { PluginRegistry } from "../../../../src/plugin/registry.ts";
import { FormerProgramError } from "../../../../src/upgrade/errors.ts";
import type { FormerRun } from "../../../../src/upgrade/former-program.ts";
import { CREATE_API, INIT, runCommand, runCommands, STANDARD_REGISTRY } from "../../../support/run-command.ts";
import { readFiles, temporaryFolder } from "../../../support/temporary-folder.ts";

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
const STAYS = "note: the project stays on Kubernetes 1.35; --kubernetes selects another version\n";
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
  const packageRoot = fileURLToPath(new URL("../../../..", import.meta.url));
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
  // Without a record, as projects of earlier versions.
  await runCommands(root, `${INIT} --kubernetes=1.35`, CREATE_API);
  git(root, "init", "-q", "-b", "main");
  change(root);
  commit(root);
  return root;
}

interface GhStub {
  readonly fails?: string;
  readonly issues?: readonly { readonly title: string; readonly url: string }[];
  readonly extensions?: string;
}

interface GhCall {
  readonly words: readonly string[];
  readonly input: string;
}

// Puts a gh in the way that notes what it is called with; without one there is none.
function stubGh(stub: GhStub | undefined): () => readonly GhCall[] {
  const bin = temporaryFolder();
  const log = path.join(bin, "calls");
  if (stub !== undefined) {
    const { fails = "", issues = [], extensions = "gh models\tgithub/gh-models\tv0.0.25" } = stub;
    const answers = {
      "extension list": extensions,
      "issue list": JSON.stringify(issues),
      "repo view": "https://forge.example.com/acme/guestbook\n",
      "issue create": "https://forge.example.com/acme/guestbook/issues/7\n",
      "models run": "a summary\n",
    };
    const program = [
      `#!${process.execPath}`,
      'const fs = require("node:fs");',
      "const words = process.argv.slice(2);",
      `fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ words, input: fs.readFileSync(0, "utf8") }) + "\\n");`,
      `if (words[0] === ${JSON.stringify(fails)}) { console.error("no"); process.exit(1); }`,
      `process.stdout.write((${JSON.stringify(answers)})[words.slice(0, 2).join(" ")] ?? "");`,
    ];
    writeFileSync(path.join(bin, "gh"), program.join("\n"), { mode: 0o755 });
  }
  // Of the other programs, only git is needed.
  symlinkSync(execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim(), path.join(bin, "git"));
  vi.stubEnv("PATH", bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  return () =>
    existsSync(log)
      ? readFileSync(log, "utf8")
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as GhCall)
      : [];
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
  it("is refused outside of a git repository", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    expect(await update(root)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^error: cannot update the project: not a git repository.*\[CLI_UPDATE_REFUSED\]\nhint: run the command in a project whose files are committed/u,
      ),
    });
  });

  it.each(["SIGINT", "SIGTERM"] as const)("removes its folder and writes no branch after %s", async (name) => {
    const root = await project();
    let folder = "";
    const { status, stderr } = await update(root, "", async (request) => {
      folder = path.dirname(request.output);
      expect(existsSync(folder)).toBe(true);
      process.emit(name, name);
      expect(request.signal.aborted).toBe(true);
      await runFormer(request);
    });
    expect({ status, stderr }).toMatchObject({ status: expect.any(Number), stderr: expect.stringContaining(name) });
    expect(status).not.toBe(0);
    expect(folder).toContain("kubescaffold-update-");
    expect(existsSync(folder)).toBe(false);
    expect(git(root, "branch", "--format=%(refname:short)")).toBe("main\n");
  });

  it("puts what is new and what is the user's together in one commit on a branch, and touches nothing else", async () => {
    const root = await project(mine);
    const before = state(root);
    expect(await update(root)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining(BRANCH),
      stderr: STAYS,
    });
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

  it("records the version of Kubernetes of --kubernetes, and stays on it in later updates", async () => {
    const root = await project();
    const recorded = '    kubernetesVersion: "1.37"\n';
    expect(await update(root, "--kubernetes=1.37")).toMatchObject({ status: 0, stderr: "" });
    expect(git(root, "show", "main:PROJECT")).not.toContain("kubernetesVersion");
    expect(git(root, "show", `${BRANCH}:PROJECT`)).toContain(recorded);
    git(root, "merge", "-q", BRANCH);
    const { status, stderr } = await update(root, "--from-version=0.1.0 --force --output-branch=next");
    expect([status, stderr]).toEqual([
      0,
      "note: the project stays on Kubernetes 1.37; --kubernetes selects another version\n",
    ]);
    expect(git(root, "show", "next:PROJECT")).toContain(recorded);
  });

  it("refuses a version of Kubernetes that is not supported before it does anything", async () => {
    expect(await update(temporaryFolder(), "--kubernetes=1.33")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("KUBERNETES_VERSION"),
    });
  });

  it("does not bring back what the user deleted", async () => {
    const root = await project((folder) => rmSync(path.join(folder, "AGENTS.md")));
    expect(await update(root)).toMatchObject({ status: 0 });
    expect(git(root, "ls-tree", "-r", "--name-only", BRANCH)).not.toContain("AGENTS.md");
  });

  describe("of a project with scripts in hack/ that the next version no longer has", () => {
    const SCRIPT = "hack/deploy.mjs";
    const OLD = "// deploys\nconsole.log(process.argv);\n";

    // The former version wrote a script, and ran it by npm.
    const withScript = (root: string): void => {
      mkdirSync(path.join(root, "hack"), { recursive: true });
      writeFileSync(path.join(root, SCRIPT), OLD);
      edit(root, "package.json", (text) => text.replace('"scaffold deploy"', `"node ${SCRIPT} deploy"`));
    };
    const formerWithScript: FormerRun = async (run) => {
      await runFormer(run);
      withScript(run.output);
    };

    it("removes them and calls the commands", async () => {
      const root = await project(withScript);
      expect(await update(root, "", formerWithScript)).toMatchObject({ status: 0 });
      expect(git(root, "ls-tree", "-r", "--name-only", BRANCH)).not.toContain(SCRIPT);
      expect(git(root, "show", `${BRANCH}:package.json`)).toContain('"deploy": "scaffold deploy"');
    });

    it("reports a conflict in one that the user edited, and keeps it when forced", async () => {
      const root = await project((folder) => {
        withScript(folder);
        edit(folder, SCRIPT, (text) => `${text}// mine\n`);
      });
      const refused = await update(root, "", formerWithScript);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_UPDATE_CONFLICT") });
      expect(refused.stderr).toContain(`\n  ${SCRIPT}`);
      expect(await update(root, "--force", formerWithScript)).toMatchObject({ status: 0 });
      expect(git(root, "show", `${BRANCH}:${SCRIPT}`)).toBe(`${OLD}// mine\n`);
      expect(git(root, "show", `${BRANCH}:package.json`)).toContain('"deploy": "scaffold deploy"');
    });

    it("keeps one of the user's own that no version wrote", async () => {
      const root = await project((folder) => {
        withScript(folder);
        writeFileSync(path.join(folder, "hack/own.mjs"), "// mine\n");
      });
      expect(await update(root, "", formerWithScript)).toMatchObject({ status: 0 });
      expect(git(root, "show", `${BRANCH}:hack/own.mjs`)).toBe("// mine\n");
    });
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

  it("keeps the given paths, which are then not conflicts", async () => {
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
    expect(result).toMatchObject({ status: 0, stdout: expect.stringContaining("is up to date with version") });
    expect(git(root, "branch", "--list", "kubescaffold*")).toBe("");
  });

  it("writes nothing on a dry run, and shows what would change", async () => {
    const root = await project((folder) =>
      edit(folder, "Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM mine")),
    );
    const [before, objects] = [state(root), git(root, "count-objects", "-v")];
    const { status, stdout, stderr } = await update(root, "--dry-run");
    expect(status).toBe(0);
    expect(stdout).toContain("+++ b/NEW.md\n@@ -0,0 +1 @@\n+new\n");
    expect(stderr).toBe(
      `${STAYS}there would be conflicts in:\n  Dockerfile\ndry run: 4 files would change; nothing was written\n`,
    );
    expect(state(root)).toEqual(before);
    expect(git(root, "count-objects", "-v")).toBe(objects);
    expect(git(root, "branch", "--list", "kubescaffold*")).toBe("");
  });

  it("is data with --output json", async () => {
    const root = await project(mine);
    const dry = await update(root, "--dry-run --output json");
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, from: "0.1.0", to: "0.2.0", conflicts: [] });
    const { status, stdout, stderr } = await update(root, "--output json");
    expect({ status, stderr }).toEqual({ status: 0, stderr: STAYS });
    expect(JSON.parse(stdout)).toEqual({
      command: "scaffold alpha update --output json",
      dryRun: false,
      from: "0.1.0",
      to: "0.2.0",
      branch: BRANCH,
      commit: git(root, "rev-parse", BRANCH).trim(),
      files: [
        { action: "overwrite", path: "Dockerfile" },
        { action: "overwrite", path: "Makefile" },
        { action: "create", path: "NEW.md" },
        { action: "overwrite", path: "PROJECT" },
      ],
      conflicts: [],
    });
    const nothing = await update(root, "--from-version 0.2.0 --output json");
    expect(JSON.parse(nothing.stdout)).toMatchObject({ from: "0.2.0", to: "0.2.0", files: [] });
  });

  it("updates to another version than that of the program", async () => {
    const root = await project(mine);
    const asked: string[] = [];
    const versions: FormerRun = async ({ version, tarball, input, output }) => {
      asked.push(`${version} ${path.basename(tarball ?? "")}`);
      await runCommands(input, `alpha generate --make=false --input-dir ${input} --output-dir ${output}`);
      if (version === "0.1.5") writeFileSync(path.join(output, "BETWEEN.md"), "between\n");
    };
    const flags = "--to-version v0.1.5 --to-tarball ../kubescaffold-0.1.5.tgz";
    expect(await update(root, flags, versions)).toMatchObject({ status: 0 });
    expect(asked).toEqual(["0.1.0 ", "0.1.5 kubescaffold-0.1.5.tgz"]);
    const branch = "kubescaffold-update-from-0.1.0-to-0.1.5";
    expect(git(root, "diff", "--name-only", "main", branch)).toBe("BETWEEN.md\n");
    expect(git(root, "log", "-1", "--format=%s", branch)).toBe("Update the scaffold from 0.1.0 to 0.1.5\n");
  });

  describe("tells of the branch in an issue", () => {
    const PUSHED = "--push --open-gh-issue";

    async function pushable(change?: (root: string) => void): Promise<string> {
      const root = await project(change);
      const remote = temporaryFolder();
      git(remote, "init", "-q", "--bare");
      git(root, "remote", "add", "origin", remote);
      return root;
    }

    it("that gh opens", async () => {
      const root = await pushable();
      const calls = stubGh({});
      const { status, stdout, stderr } = await update(root, PUSHED);
      expect({ status, stderr }).toEqual({ status: 0, stderr: STAYS });
      expect(stdout).toContain("Opened the issue https://forge.example.com/acme/guestbook/issues/7\n");
      const created = calls().find(({ words }) => words[1] === "create");
      expect(created?.words).toEqual([
        "issue",
        "create",
        "--title",
        "Update the scaffold from 0.1.0 to 0.2.0",
        "--body-file",
        "-",
      ]);
      expect(created?.input).toContain(`https://forge.example.com/acme/guestbook/compare/main...${BRANCH}?expand=1`);
    });

    it("with the files that conflict", async () => {
      const root = await pushable((folder) =>
        edit(folder, "Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM mine")),
      );
      const calls = stubGh({});
      expect(await update(root, `${PUSHED} --force`)).toMatchObject({ status: 0 });
      expect(calls().find(({ words }) => words[1] === "create")?.input).toContain("- `Dockerfile`");
    });

    it("unless one is open", async () => {
      const root = await pushable();
      const title = "Update the scaffold from 0.1.0 to 0.2.0";
      const calls = stubGh({ issues: [{ title, url: "https://forge.example.com/acme/guestbook/issues/3" }] });
      const { status, stdout } = await update(root, `${PUSHED} --output json`);
      expect(status).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        issue: { url: "https://forge.example.com/acme/guestbook/issues/3", isNew: false },
      });
      expect(calls().some(({ words }) => words[1] === "create")).toBe(false);
    });

    it("with the summary of a model", async () => {
      const root = await pushable();
      const calls = stubGh({});
      expect(await update(root, `${PUSHED} --use-gh-models`)).toMatchObject({ status: 0 });
      const asked = calls().find(({ words }) => words[0] === "models");
      expect(asked?.input).toContain("+++ b/NEW.md");
      expect(calls().at(-1)).toEqual({
        words: ["issue", "comment", "https://forge.example.com/acme/guestbook/issues/7", "--body-file", "-"],
        input: "a summary",
      });
    });

    it.for([
      ["without gh", undefined, PUSHED, "gh, GitHub's command line, is not installed"],
      ["when nobody is logged in", { fails: "auth" }, PUSHED, "gh auth status failed: no"],
      ["without the extension for models", { extensions: "" }, `${PUSHED} --use-gh-models`, "extension gh-models"],
    ] as const)("and does nothing %s", async ([, stub, flags, message]) => {
      const root = await pushable();
      const before = state(root);
      stubGh(stub);
      const { status, stderr } = await update(root, flags);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(message) });
      expect(state(root)).toEqual(before);
      expect(git(root, "branch", "--list", "kubescaffold*")).toBe("");
    });

    it("and says where the branch is when gh fails", async () => {
      const root = await pushable();
      stubGh({ fails: "issue" });
      const { status, stderr } = await update(root, PUSHED);
      expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("gh issue list failed: no") });
      expect(stderr).toContain(`the branch ${BRANCH} was pushed`);
      expect(git(root, "branch", "--list", BRANCH)).toContain(BRANCH);
    });

    it("but not on a dry run", async () => {
      const root = await pushable();
      const calls = stubGh({});
      expect(await update(root, `${PUSHED} --dry-run`)).toMatchObject({ status: 0 });
      expect(calls()).toEqual([]);
    });
  });

  it.for([
    ["a version that is none", "--to-version newest", () => undefined, "it is not an exact version"],
    ["a range as the former version", "--from-version ^0.1.0", () => undefined, "it is not an exact version"],
    ["a repository as the former version", "--from-version user/repo", () => undefined, "it is not an exact version"],
    ...[
      "/tmp/evil",
      "user/repo",
      "file:../evil",
      "git+ssh://git@example.com/evil",
      "npm:evil@1.0.0",
      "latest",
      "0.1.x",
    ].map(
      (version) =>
        [
          `the recorded version ${version}, which npm would take from elsewhere`,
          "",
          (root: string) => {
            edit(root, "PROJECT", (text) => text.replace(/^cliVersion.*\n/mu, `cliVersion: "${version}"\n`));
            commit(root);
          },
          `cannot use cliVersion "${version}" of PROJECT: it is not an exact version`,
        ] as const,
    ),
    ["a branch that looks like a flag", "--from-branch=--all", () => undefined, "it has no branch --all"],
    ["a result that looks like a flag", "--output-branch=--force", () => undefined, "CLI_INVALID_FLAG"],
    ["a tarball of no version", "--to-tarball x.tgz", () => undefined, "without --to-version"],
    ["an issue about a branch that nobody sees", "--open-gh-issue", () => undefined, "without --push"],
    ["a summary of no issue", "--use-gh-models", () => undefined, "without --open-gh-issue"],
    [
      "uncommitted changes",
      "",
      (root: string) => edit(root, "Makefile", (text) => `${text}# x\n`),
      "uncommitted changes",
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
      "PROJECT has no cliVersion",
    ],
    ["paths to restore in a history", "--show-commits --restore-path a", () => undefined, "CLI_INVALID_FLAG"],
    ["what is no setting of git", "--git-config merge=ours", () => undefined, 'cannot use "merge=ours"'],
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

  it("refuses a folder that is no repository", async () => {
    const outside = temporaryFolder();
    await runCommands(outside, INIT);
    expect(await update(outside)).toMatchObject({ status: 1, stderr: expect.stringContaining("CLI_UPDATE_REFUSED") });
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

  it("is reported in help", async () => {
    expect((await runCommand(temporaryFolder(), "alpha update --help")).stdout).toContain("--restore-path");
  });
});

// Beside the project lies another operator, whose files git might take for those of the project.
async function monorepo(change: (project: string) => void = () => undefined): Promise<{ root: string; below: string }> {
  const root = temporaryFolder({ "README.md": "all\n" });
  const [below, beside] = [path.join(root, "operators/guest book"), path.join(root, "operators/other")];
  for (const folder of [below, beside]) {
    mkdirSync(folder, { recursive: true });
    await runCommands(folder, INIT, CREATE_API);
  }
  git(root, "init", "-q", "-b", "main");
  change(below);
  commit(root);
  return { root, below };
}

describe("alpha update of a project in a folder of its repository", () => {
  const inFolder = (...files: readonly string[]): readonly string[] => [
    ...files.map((file) => `operators/guest book/${file}`),
    "",
  ];

  it("merges that folder, and leaves all beside it as it is", async () => {
    const { root, below } = await monorepo((folder) => {
      mine(folder);
      rmSync(path.join(folder, "AGENTS.md"));
    });
    writeFileSync(path.join(root, "README.md"), "not committed\n");
    const before = state(root);
    expect(await update(below)).toMatchObject({ status: 0, stdout: expect.stringContaining(BRANCH) });
    expect(state(root)).toEqual(before);
    expect(git(root, "rev-list", "--count", `main..${BRANCH}`)).toBe("1\n");
    expect(git(root, "diff", "--name-only", "main", BRANCH).split("\n")).toEqual(
      inFolder("Dockerfile", "Makefile", "NEW.md", "PROJECT"),
    );
    expect(git(root, "show", `${BRANCH}:operators/guest book/Makefile`)).toMatch(/^# mine\n[^]*\nnext:\n/u);
  });

  it("stops at a conflict, and goes through with it when it is forced", async () => {
    const { root, below } = await monorepo((folder) =>
      edit(folder, "Dockerfile", (text) => text.replace(/^FROM .*$/mu, "FROM mine")),
    );
    const before = state(root);
    expect(await update(below)).toMatchObject({ status: 1, stderr: expect.stringContaining("\n  Dockerfile") });
    expect(git(root, "branch", "--list", BRANCH)).toBe("");
    expect(git(root, "show", `${BRANCH}-work:operators/guest book/Dockerfile`)).toContain("=======\nFROM next\n");
    expect(await update(below, "--force")).toMatchObject({ status: 0 });
    expect(git(root, "show", `${BRANCH}:operators/guest book/Dockerfile`)).toContain("=======\nFROM next\n");
    expect(git(root, "show", `${BRANCH}:operators/other/Dockerfile`)).not.toContain("FROM next");
    expect(git(root, "log", "-1", "--format=%b", BRANCH)).toContain("operators/guest book/Dockerfile");
    expect(state(root)).toEqual(before);
  });

  it("keeps paths that are named from the project", async () => {
    const { root, below } = await monorepo((folder) => edit(folder, "Dockerfile", (text) => `# mine\n${text}`));
    expect(await update(below, "--restore-path Dockerfile,NEW.md")).toMatchObject({ status: 0 });
    expect(git(root, "diff", "--name-only", "main", BRANCH).split("\n")).toEqual(inFolder("Makefile", "PROJECT"));
  });

  it("shows a history in which the scaffolds are in that folder", async () => {
    const { root, below } = await monorepo(mine);
    expect(await update(below, "--show-commits --merge-message Merged")).toMatchObject({ status: 0 });
    expect(git(root, "log", "--format=%s", `main..${BRANCH}`).split("\n").toSorted()).toEqual([
      "",
      "Merged",
      "Scaffold of version 0.1.0",
      "Scaffold of version 0.2.0",
    ]);
    const made = git(root, "ls-tree", "-r", "--name-only", `${BRANCH}^2`).trim().split("\n");
    expect(made.filter((file) => !file.startsWith("operators/guest book/"))).toEqual([]);
    expect(git(root, "diff", "--name-only", "main", BRANCH).split("\n")).toEqual(
      inFolder("Dockerfile", "Makefile", "NEW.md", "PROJECT"),
    );
  });

  it("shows on a dry run what would change, and writes not even an object", async () => {
    const { root, below } = await monorepo(mine);
    const [before, objects] = [state(root), git(root, "count-objects", "-v")];
    const { status, stdout } = await update(below, "--dry-run");
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining("+++ b/NEW.md\n") });
    expect([state(root), git(root, "count-objects", "-v")]).toEqual([before, objects]);
  });

  it("refuses changes in that folder that git does not have, and a branch without it", async () => {
    const { root, below } = await monorepo();
    writeFileSync(path.join(below, "own.txt"), "own\n");
    expect(await update(below)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("has uncommitted changes"),
    });
    commit(root);
    git(root, "branch", "empty", git(root, "commit-tree", "-m", "x", git(root, "mktree").trim()).trim());
    expect(await update(below, "--from-branch empty")).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("the branch has no file PROJECT"),
    });
  });
});
