import { describe, expect, it } from "vitest";

import { COMMANDS } from "../../src/cli/commands.ts";
import { CREATE_API, INIT, runCommand, runCommands } from "../support/run-command.ts";
import { readFiles, temporaryFolder, writeFiles } from "../support/temporary-folder.ts";

describe("help", () => {
  it.each(["", "--help", "-h", "help"])("is what `scaffold %s` prints", async (line) => {
    const { status, stdout } = await runCommand(temporaryFolder(), line);
    expect(status).toBe(0);
    expect(stdout).toContain("Usage:\n  scaffold [command]\n");
    expect(stdout).toMatch(/Available Commands:\n {2}init +Initialize a project/u);
    expect(stdout).toMatch(/Available Plugins:\n {2}KEY +DESCRIPTION\n {2}ts\.kubescaffold\.dev\/v1 /u);
    expect(stdout).not.toContain("base.ts.kubescaffold.dev");
    expect(stdout).toContain('Use "scaffold [command] --help" for more information about a command.');
  });

  it.each(COMMANDS.map((command) => [command.path.join(" "), command] as const))(
    "of %s names each of its flags",
    async (line, command) => {
      const { status, stdout } = await runCommand(temporaryFolder(), `${line} --help`);
      expect(status).toBe(0);
      for (const flag of command.flags) expect(stdout).toContain(`--${flag.name}`);
      expect(stdout).toMatch(new RegExp(`--help +help for ${command.path.at(-1) ?? ""}`, "u"));
      expect(await runCommand(temporaryFolder(), `help ${line}`)).toMatchObject({ stdout });
    },
  );

  it.each(["--plugins ts/v1 --help", "--no-input -h", "--help --plugins=ts/v1"])(
    "is what `scaffold %s` prints too",
    async (line) => {
      const { status, stdout } = await runCommand(temporaryFolder(), line);
      expect(status).toBe(0);
      expect(stdout).toContain("Usage:\n  scaffold [command]\n");
    },
  );

  it.each(["--plugins ts/v1 init --help", "-h init", "help init --no-input", "--input=false init --help"])(
    "of init is what `scaffold %s` prints",
    async (line) => {
      expect((await runCommand(temporaryFolder(), line)).stdout).toContain("Usage:\n  scaffold init [flags]\n");
    },
  );

  it("shows defaults, choices, and what is required", async () => {
    const init = (await runCommand(temporaryFolder(), "init --help")).stdout;
    expect(init).toMatch(
      /--domain string +domain of the API groups; empty to give groups in full \(default "my\.domain"\)/u,
    );
    expect(init).toMatch(/--license string .*\(apache2, copyright, none\) \(default "apache2"\)/u);
    expect((await runCommand(temporaryFolder(), "create api --help")).stdout).toMatch(/--kind string .*\(required\)/u);
  });
});

describe("flags of every command", () => {
  it("may be before the words of a command, or among them", async () => {
    const root = temporaryFolder();
    await runCommand(root, INIT);
    const line = "--no-input create --plugins deploy-image api --group webapp --version v1 --kind Shop --image nginx:1";
    expect(await runCommand(root, `${line} --make=false`)).toMatchObject({ status: 0 });
    expect(readFiles(root)["PROJECT"]).toContain("image: nginx:1");
  });

  it.each([
    ["--plugins nope/v1 init", 1, 'cannot resolve plugin key "nope/v1"'],
    ["--plugins", 1, "flag needs an argument: --plugins"],
    ["--input=perhaps version", 1, "perhaps"],
    ["--no-input initt", 2, 'unknown command "initt" for "scaffold"'],
    ["--no-input create apii", 2, 'unknown command "apii" for "scaffold create"'],
    ["--loud init", 2, "unknown flag: --loud"],
    ["--loud --help", 2, "unknown flag: --loud"],
  ])("in front are read where they belong: %s ends with status %i", async (line, status, message) => {
    const result = await runCommand(temporaryFolder(), line);
    expect(result).toMatchObject({ status, stderr: expect.stringContaining(message) });
  });
});

describe("a mistyped command line", () => {
  it.each([
    ["initt", 2, 'unknown command "initt" for "scaffold"', "did you mean `scaffold init`?"],
    ["new api", 2, 'unknown command "new" for "scaffold"', "did you mean `scaffold create`?"],
    ["create apii", 2, 'unknown command "apii" for "scaffold create"', "did you mean `scaffold create api`?"],
    ["frobnicate", 2, 'unknown command "frobnicate"', "scaffold --help"],
    ["create api --groop webapp", 2, "unknown flag: --groop", "did you mean --group?"],
    ["--loud", 2, "unknown flag: --loud", "scaffold --help"],
    ["init --fetch-deps=false", 2, "unknown flag: --fetch-deps", "--skip-install"],
    ["create api --group a --version v1 --kind B --manifests", 2, "unknown flag: --manifests", "--make"],
    ["experimental", 2, 'unknown command "experimental"', "did you mean `scaffold alpha`?"],
    ["help creat api", 2, 'unknown command "creat" for "scaffold"', "did you mean `scaffold create`?"],
    ["init --plugins=go/v4", 1, 'cannot resolve plugin key "go/v4"', "import project"],
    ["create api --group webapp --version v1", 1, 'required flag(s) "kind" not set', "scaffold create api --help"],
    ["create api --version v1 --kind", 1, "flag needs an argument: --kind", "--kind <value>"],
    ["create api --version v1 --kind A --force=maybe", 1, "maybe", "scaffold create api --help"],
    ["create api --version v1 --kind A word", 1, 'unexpected argument "word"', "--name value"],
    ["init --license gpl", 1, "gpl", "scaffold init --help"],
    ["init --project-version 2", 1, "2", "scaffold init --help"],
    ["edit", 1, "no setting is specified", "--multigroup"],
  ])("%s ends with status %i and a hint", async (line, status, message, hint) => {
    const root = temporaryFolder();
    const result = await runCommand(root, line);
    expect(result).toMatchObject({ status, stdout: "" });
    expect(result.stderr).toContain(message);
    expect(result.stderr).toContain(hint);
    expect(readFiles(root)).toEqual({});
  });

  it("is answered in JSON when JSON was asked for", async () => {
    const { status, stdout, stderr } = await runCommand(
      temporaryFolder(),
      "create api --group a --version v1 --kind b --output json",
    );
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: "PROJECT_NOT_FOUND", message: expect.any(String), hint: expect.any(String) },
    });
  });
});

describe("without a good PROJECT", () => {
  it.each([CREATE_API, "create webhook --version v1 --kind A --defaulting", "edit --multigroup", "manifests"])(
    "%s says that there is none",
    async (line) => {
      const root = temporaryFolder();
      const { status, stderr } = await runCommand(root, line);
      expect(status).toBe(1);
      expect(stderr).toContain("the project must be initialized first [PROJECT_NOT_FOUND]");
      expect(readFiles(root)).toEqual({});
    },
  );

  it.each(["version", "help", "completion bash", "create api --help", "--help"])(
    "%s works beside a malformed one",
    async (line) => {
      expect(await runCommand(temporaryFolder({ PROJECT: "[" }), line)).toMatchObject({ status: 0, stderr: "" });
    },
  );

  it.each([CREATE_API, "edit --multigroup", "manifests"])(
    "%s names line and column of a malformed one",
    async (line) => {
      const { status, stderr } = await runCommand(temporaryFolder({ PROJECT: 'version: "3"\ndomain: 1\n' }), line);
      expect(status).toBe(1);
      expect(stderr).toContain("PROJECT:2:1: domain must be string [PROJECT_INVALID]");
    },
  );
});

describe("version and completion", () => {
  it.each(["version", "--version"])("%s names the program, Kubernetes, the commit and Node", async (line) => {
    expect((await runCommand(temporaryFolder(), line)).stdout).toMatch(
      /^kubescaffold 0\.1\.0 \(Kubernetes 1\.37, commit unknown, Node \d+\./u,
    );
  });

  it("version prints JSON too", async () => {
    const { stdout } = await runCommand(temporaryFolder(), "version --output json");
    expect(JSON.parse(stdout)).toMatchObject({
      version: "0.1.0",
      kubernetes: "1.37",
      commit: "unknown",
      date: "unknown",
    });
  });

  it.each(["bash", "zsh", "fish", "powershell"])(
    "completion %s prints a script that asks the program",
    async (shell) => {
      const { status, stdout } = await runCommand(temporaryFolder(), `completion ${shell}`);
      expect(status).toBe(0);
      expect(stdout).toContain("scaffold __complete");
    },
  );

  it("an unknown shell is an unknown command", async () => {
    expect(await runCommand(temporaryFolder(), "completion bashh")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("did you mean `scaffold completion bash`?"),
    });
  });
});

describe("an interrupted command", () => {
  it("is dealt with by the next one, which says so", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    writeFiles(root, { ".kubescaffold/journal/0.new": "half" });
    const { status, stderr } = await runCommand(root, "gen webhook paths=./hack/... output:none");
    expect(status).toBe(0);
    expect(stderr).toContain("note: discarded the files that an interrupted command prepared");
    expect(readFiles(root)).toEqual(before);
  });

  it("is reported by a dry run, which leaves everything as it is", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    writeFiles(root, { ".kubescaffold/journal/0.new": "half" });
    const before = readFiles(root);
    const { status, stderr } = await runCommand(root, "edit --multigroup --dry-run");
    expect(status).toBe(0);
    expect(stderr).toContain("note: a command was interrupted before it wrote anything; nothing was changed");
    expect(readFiles(root)).toEqual(before);
  });
});
