import path from "node:path";

import { describe, expect, it } from "vitest";

import { calledAs } from "../../../src/cli/output/called-as.ts";
import { withCall } from "../../../src/cli/output/report-outcome.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import { STANDARD_REGISTRY } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const LOCAL = ["", "p", "node_modules", ".bin", "scaffold"].join(path.sep);

describe("calledAs", () => {
  it.each([
    ["npx scaffold", LOCAL, { npm_command: "exec", npm_lifecycle_event: "npx", npm_lifecycle_script: "'scaffold'" }],
    ["npx kubescaffold", "/c/_npx/1/node_modules/.bin/kubescaffold", { npm_command: "exec" }],
    ["npx kubescaffold", LOCAL, { npm_command: "exec", npm_lifecycle_script: '"kubescaffold" "init"' }],
    ["npx scaffold", LOCAL, { npm_command: "run", npm_lifecycle_event: "manifests" }],
    ["npx scaffold", LOCAL, {}],
    ["scaffold", "/usr/local/bin/scaffold", {}],
    ["kubescaffold", "/usr/local/bin/kubescaffold", {}],
    ["npx scaffold", "/src/dist/scaffold.cjs", {}],
  ])("returns %s for %s with %j", (expected, script, variables) => {
    expect(calledAs({ script, variables })).toBe(expected);
  });
});

describe("withCall", () => {
  it.each([
    ["run `npx scaffold create api` first", "scaffold", "run `scaffold create api` first"],
    ["run `scaffold create api --help`", "npx scaffold", "run `npx scaffold create api --help`"],
    ["run `scaffold --help` for the commands", "npx scaffold", "run `npx scaffold --help` for the commands"],
    ["run `npx kubescaffold init` here", "kubescaffold", "run `kubescaffold init` here"],
    ["run `npx kubescaffold init` here", "npx scaffold", "run `npx kubescaffold init` here"],
    ["npx scaffold create api --group <group>", "npx kubescaffold", "npx kubescaffold create api --group <group>"],
    [
      "the scaffold commands, `scaffold`, and `@x/scaffold a`",
      "npx scaffold",
      "the scaffold commands, `scaffold`, and `@x/scaffold a`",
    ],
  ])("changes %j for %s", (text, call, expected) => {
    expect(withCall(text, { calledAs: call })).toBe(expected);
    expect(withCall(text, {})).toBe(text);
  });
});

async function run(cwd: string, args: readonly string[], call: string): Promise<string> {
  let printed = "";
  const write = (text: string): string => (printed += text);
  const terminal = { isInteractive: false, writeOut: write, writeError: write };
  const program = {
    name: "scaffold",
    version: "0.1.0",
    calledAs: call,
    packageRoot: cwd,
    registry: async () => STANDARD_REGISTRY,
  };
  await runCli({ args, cwd, terminal, program });
  return printed;
}

describe("commands in hints", () => {
  it("call the program as the user called it, with quotes for the shell", async () => {
    const root = temporaryFolder();
    expect(await run(root, ["create", "api", "--version", "v1"], "npx scaffold")).toContain(
      "hint: run `npx scaffold create api --help` for the flags",
    );
    expect(
      await run(root, ["init", "--domain", "demo", "--project-name", "p", "--skip-install"], "kubescaffold"),
    ).toContain("  kubescaffold create api --group <group> --version v1 --kind <Kind>\n");
    expect(
      await run(
        root,
        ["create", "webhook", "--group", "web", "--version", "v1", "--kind", "Page", "--defaulting"],
        "scaffold",
      ),
    ).toContain("run `scaffold create api --group web --version v1 --kind Page` first");
  });
});
