import { describe, expect, it } from "vitest";

import { COMMANDS } from "../../../src/cli/commands.ts";
import { runCli } from "../../../src/cli/run-cli.ts";
import { INIT, runCommands, STANDARD_REGISTRY } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

/** The flags of all commands that take a number or a duration, but those of kube-apiserver, whose table has its own test. */
const NUMERIC: readonly (readonly [command: string, flag: string])[] = [
  ["dashboard", "port"],
  ["debug", "port"],
  ["dev", "port"],
  ["dev", "inspect"],
  ["dev", "dashboard-port"],
  ["migrate-storage", "propagation"],
  ["migrate-storage", "writes-per-second"],
  ["undeploy", "timeout"],
  ["rehearse", "overlap"],
  ["rehearse", "settle"],
  ["rehearse", "seed"],
  ["verify", "time"],
  ["verify", "settle"],
  ["verify", "seed"],
];

// Flags without which a command does not look at the others.
const REQUIRED: Readonly<Record<string, readonly string[]>> = { rehearse: ["--from=HEAD"] };

const TEXTS = ["", " ", "NaN", "Infinity", "1e3", "0x10", "-5", "5 ", " 5", "five", "1234567890", "1.5", "1,000"];

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(cwd: string, args: readonly string[]): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  const terminal = {
    isInteractive: false,
    writeOut: (text: string) => (stdout += text),
    writeError: (text: string) => (stderr += text),
  };
  const program = { name: "scaffold", version: "0.1.0", packageRoot: cwd, registry: async () => STANDARD_REGISTRY };
  const status = await runCli({ args, cwd, terminal, program });
  return { status, stdout, stderr };
}

describe("flags that take a number or a duration", () => {
  it("are all in the table of this test", () => {
    const isNumeric = /\b(?:port|limit|seconds|milliseconds|interval|count|width|most|times)\b/iu;
    const found = COMMANDS.flatMap(({ path, flags }) =>
      flags
        .filter(({ kind }) => kind !== "boolean" && kind !== "list")
        .filter(
          ({ kind, help, default: fallback = "" }) =>
            kind !== "string" || isNumeric.test(help) || /^\d/u.test(fallback),
        )
        .map(({ name }) => [path.join(" "), name]),
    );
    const isVersion = (name = ""): boolean => ["kubernetes", "project-version"].includes(name);
    const others = found.filter(([command, name]) => command !== "apiserver" && !isVersion(name));
    const names = (flags: readonly (readonly string[])[]): ReadonlySet<string> =>
      new Set(flags.map((each) => each.join(" --")));
    expect(names(others)).toEqual(names(NUMERIC));
  });

  it.each(NUMERIC)(
    "%s --%s fails with one error for any other text, before anything is done",
    async (command, flag) => {
      const root = temporaryFolder();
      await runCommands(root, INIT);
      for (const text of TEXTS) {
        const { status, stdout, stderr } = await run(root, [
          command,
          ...(REQUIRED[command] ?? []),
          `--${flag}=${text}`,
        ]);
        expect({ text, status, stdout }).toEqual({
          text,
          status: ["rehearse", "verify"].includes(command) ? 2 : 1,
          stdout: "",
        });
        const problem =
          text.trim() === ""
            ? `flag --${flag} is present but empty`
            : `invalid value "${text}" for flag --${flag}: not a `;
        expect(stderr).toMatch(/^error: [^\n]+ \[CLI_INVALID_FLAG\]\nhint: [^\n]+\n$/u);
        expect(stderr).toContain(problem);
      }
    },
  );
});
