import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { describe, expect, it } from "vitest";

import { canAsk } from "../../../src/cli/run-cli.ts";
import { ROOT } from "../../architecture/source-files.ts";
import { KEYS } from "../../support/converse.ts";
import { INIT, runCommands } from "../../support/run-command.ts";
import { runSuccessfully } from "../../support/run-program.ts";
import { readFiles, temporaryFolder } from "../../support/temporary-folder.ts";

const PSEUDO_TERMINAL = fileURLToPath(new URL("../../support/pseudo-terminal.py", import.meta.url));
const TSX = path.join(ROOT, "node_modules/tsx/dist/esm/index.mjs");
const PROGRAM = ["--conditions=@kubescaffold/source", "--import", TSX, path.join(ROOT, "bin/scaffold.ts")];
const LIVENESS_MS = 120_000;
const { enter, interrupt } = KEYS;

// Node has no pseudo-terminals; Python does.
const hasPython = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

interface Shown {
  readonly status: number;
  readonly shown: string;
  readonly unasked: readonly string[];
}

async function atTerminal(
  cwd: string,
  args: readonly string[],
  exchanges: readonly (readonly [string, string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<Shown> {
  const words = [PSEUDO_TERMINAL, JSON.stringify(exchanges), process.execPath, ...PROGRAM, ...args];
  return JSON.parse(await runSuccessfully("python3", words, { cwd, env: { CI: "", TERM: "xterm", ...env } })) as Shown;
}

describe.runIf(hasPython)("a terminal", { timeout: LIVENESS_MS }, () => {
  it("is where a command prompts for missing values", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const { status, shown, unasked } = await atTerminal(
      root,
      ["create", "api", "--make=false"],
      [
        ["Group of the API", `webapp${enter}`],
        ["Version of the API", enter],
        ["Kind of the API", `Guestbook${enter}`],
        ["Create Resource", `y${enter}`],
        ["Create Controller", `n${enter}`],
      ],
    );
    expect({ status, unasked }).toEqual({ status: 0, unasked: [] });
    expect(shown).toContain("--group webapp --version v1 --kind Guestbook --resource --controller=false");
    expect(readFiles(root)["api/v1/guestbook_types.ts"]).toContain("export interface Guestbook ");
  });

  it("is left as it was when a question is broken off", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const before = readFiles(root);
    const { status, shown } = await atTerminal(root, ["create", "api"], [["Group of the API", interrupt]]);
    expect({ status, shown }).toEqual({ status: 1, shown: expect.stringContaining("nothing was written") });
    // The cursor is there again.
    expect(shown.lastIndexOf("\u001B[?25h")).toBeGreaterThan(shown.lastIndexOf("\u001B[?25l"));
    expect(readFiles(root)).toEqual(before);
  });

  it("is none in a workflow", async () => {
    const root = temporaryFolder();
    await runCommands(root, INIT);
    const { status, shown } = await atTerminal(root, ["create", "api"], [], { CI: "true" });
    expect({ status, shown }).toEqual({ status: 1, shown: expect.stringContaining("CLI_MISSING_FLAG") });
  });
});

describe("a pipe", { timeout: LIVENESS_MS }, () => {
  it("whose reader has gone stops no command", async () => {
    const root = temporaryFolder();
    const words = [...PROGRAM, "init", "--domain", "demo", "--project-name", "guestbook", "--skip-install"];
    const child = spawn(process.execPath, words, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const [stderr, [status]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(readFiles(root)).toHaveProperty("PROJECT");
  });
});

describe("questions", () => {
  const terminal = { isInteractive: true, writeOut: () => undefined, writeError: () => undefined };

  it("may be put at a terminal, unless somebody said no to them or wants data", () => {
    expect(canAsk(terminal, {})).toBe(true);
    expect(canAsk({ ...terminal, isInteractive: false }, {})).toBe(false);
    expect(canAsk(terminal, { input: false })).toBe(false);
    expect(canAsk(terminal, { output: "json" })).toBe(false);
  });
});
