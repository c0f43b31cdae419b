import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

import { describe, expect, it } from "vitest";

import { CREATE_API, INIT, runCommand, runCommands } from "../../../support/run-command.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

async function complete(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await runCommand(temporaryFolder(), ["__complete", ...words].join(" "));
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => line.split("\t")[0] ?? "");
}

describe("completion", () => {
  it("offers commands, then the commands of a group", async () => {
    expect(await complete("ini")).toEqual(["init"]);
    expect(await complete("create", "")).toEqual(["api", "webhook", "kubectl-plugin"]);
  });

  it("offers the flags of a command that were not given yet", async () => {
    const flags = await complete("create", "api", "--group", "webapp", "--");
    expect(flags).toContain("--kind");
    expect(flags).toContain("--dry-run");
    expect(flags).not.toContain("--group");
  });

  it("offers the values of a flag that has few", async () => {
    expect(await complete("init", "--license", "c")).toEqual(["copyright"]);
  });

  it("offers the keys of plugins, and nothing else as the value of a flag", async () => {
    expect(await complete("edit", "--plugins", "graf")).toEqual(["grafana.kubescaffold.dev/v1-alpha"]);
    expect(await complete("create", "--plugins", "")).not.toContain("api");
    expect(await complete("init", "--domain", "")).toEqual([]);
  });

  it("offers the values of a flag behind its sign of equality, in one word or in bash's three", async () => {
    expect(await complete("init", "--license=c")).toEqual(["--license=copyright"]);
    expect(await complete("init", "--license=")).toHaveLength(3);
    expect(await complete("init", "--license", "=", "c")).toEqual(["copyright"]);
    expect(await complete("init", "--license", "=")).toEqual(["apache2", "copyright", "none"]);
    expect(await complete("init", "--nothing=")).toEqual([]);
  });

  it("offers the flags of the plugins that are named", async () => {
    const flag = "--image-container-p";
    expect(await complete("create", "api", flag)).toEqual([]);
    expect(await complete("create", "api", "--plugins", "deploy-image/v1-alpha", flag)).toEqual([`${flag}ort`]);
    expect(await complete("create", "api", "--plugins=deploy-image", flag)).toEqual([`${flag}ort`]);
    expect(await complete("create", "api", "--plugins", "=", "deploy-image", flag)).toEqual([`${flag}ort`]);
    expect(await complete("create", "api", "--plugins", "nothing/v1", "--forc")).toEqual(["--force"]);
  });

  it("says that files may be where paths belong, and nowhere else", async () => {
    const files = [":files"];
    expect(await complete("init", "--license-file", "")).toEqual(files);
    expect(await complete("init", "--license-file=hea")).toEqual(files);
    expect(await complete("init", "--license-file", "=", "hea")).toEqual(files);
    expect(await complete("edit", "--plugins=helm", "--output-dir", "")).toEqual(files);
    expect(await complete("import", "crd", "config/")).toEqual(files);
    expect(await complete("import", "crd", "a.yaml", "--kind", "")).toEqual([]);
    expect(await complete("gen", "crd", "paths=./")).toEqual(files);
    for (const flag of ["--domain", "--owner"]) expect(await complete("init", flag, "")).toEqual([]);
    expect(await complete("create", "api", "somewhere")).toEqual([]);
  });

  it("offers the versions of what is typed as spokes", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT, CREATE_API, `${CREATE_API.replace("v1", "v2")} --controller=false`);
    const { stdout } = await runCommand(root, "__complete create webhook --kind Guestbook --version=v1 --spoke v");
    expect(stdout).toBe("v2\n");
  });

  it("offers a flag once, however it was given, and again where it takes several values", async () => {
    expect(await complete("init", "--license=none", "--license")).toEqual(["--license-file"]);
    expect(await complete("create", "webhook", "--spoke", "v2", "--spok")).toEqual(["--spoke"]);
  });
});

const hasShell = (name: string): boolean => spawnSync(name, ["-c", "true"]).status === 0;

async function scriptFor(shell: string): Promise<string> {
  const file = path.join(temporaryFolder(), "completion");
  writeFileSync(file, (await runCommand(temporaryFolder(), `completion ${shell}`)).stdout);
  return file;
}

describe("the script of completion", () => {
  it.for(["bash", "zsh", "fish"])("is one that %s reads", async (shell, { skip }) => {
    skip(!hasShell(shell), `there is no ${shell}`);
    const read = spawnSync(shell, ["-n", await scriptFor(shell)], { encoding: "utf8" });
    expect([read.status, read.stderr]).toEqual([0, ""]);
  });

  it.each(["bash", "zsh", "fish", "powershell"])("is for both names of the program in %s", async (shell) => {
    const { stdout } = await runCommand(temporaryFolder(), `completion ${shell}`);
    expect(stdout).toMatch(/(?:complete|compdef|CommandName)\b.*\bscaffold\b/u);
    expect(stdout).toMatch(/(?:complete|compdef|CommandName)\b.*\bkubescaffold\b/u);
  });

  it("makes bash complete values behind a sign of equality", { skip: !hasShell("bash") }, async () => {
    const root = temporaryFolder();
    const said = path.join(root, "said");
    writeFileSync(
      path.join(root, "scaffold"),
      `#!/bin/sh\nprintf '%s|' "$@" > '${said}'\nprintf 'one\\thelp\\ntwo\\n'\n`,
      { mode: 0o755 },
    );
    const words = "COMP_WORDS=(scaffold init --license = c); COMP_CWORD=4";
    const { stdout: replies } = spawnSync(
      "bash",
      ["--norc", "-c", `source "$0"; ${words}; _scaffold_complete; echo "\${COMPREPLY[*]}"`, await scriptFor("bash")],
      { encoding: "utf8", env: { ...process.env, PATH: `${root}:${process.env["PATH"] ?? ""}` } },
    );
    expect(replies).toBe("one two\n");
    expect(readFileSync(said, "utf8")).toBe("__complete|init|--license|=|c|");
  });

  it.each([
    ["printf ':files\\n'", "header.txt\n"],
    ["true", "\n"],
  ])(
    "makes bash complete files where the program says so alone: %s",
    { skip: !hasShell("bash") },
    async (says, replies) => {
      const root = temporaryFolder({ "header.txt": "" });
      writeFileSync(path.join(root, "scaffold"), `#!/bin/sh\n${says}\n`, { mode: 0o755 });
      const words = "COMP_WORDS=(scaffold init --license-file head); COMP_CWORD=3";
      const { stdout } = spawnSync(
        "bash",
        ["--norc", "-c", `source "$0"; ${words}; _scaffold_complete; echo "\${COMPREPLY[*]}"`, await scriptFor("bash")],
        { cwd: root, encoding: "utf8", env: { ...process.env, PATH: `${root}:${process.env["PATH"] ?? ""}` } },
      );
      expect(stdout).toBe(replies);
    },
  );
});
