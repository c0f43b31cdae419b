import { PassThrough, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { runCli } from "../../src/cli/run-cli.ts";
import type { CommandResult } from "./run-command.ts";
import { STANDARD_REGISTRY } from "./run-command.ts";

const PACKAGE_ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What is typed when a text has come up on the screen. */
export type Exchange = readonly [question: string, keys: string];

/** The keys that have no letter. */
export const KEYS = { enter: "\r", down: "\u001B[B", escape: "\u001B", interrupt: "\u0003", endOfInput: "\u0004" };

/** Runs a command line at a terminal where a person types keys, each time a question has come up; `screen` is all that they saw. */
export async function converse(
  cwd: string,
  line: string,
  exchanges: readonly Exchange[],
  // Wide enough that no question is broken into lines.
  { columns = 400 }: { readonly columns?: number } = {},
): Promise<CommandResult & { readonly screen: string; readonly unasked: readonly string[] }> {
  const out = { stdout: "", stderr: "", screen: "" };
  const left = [...exchanges];
  const input = new PassThrough();
  let seen = 0;
  const show = (text: string): void => {
    out.screen += stripVTControlCharacters(text);
    const [next] = left;
    const at = next === undefined ? -1 : out.screen.indexOf(next[0], seen);
    if (next === undefined || at < 0) return;
    left.shift();
    seen = at + next[0].length;
    // Keys come after the question, and not while it is being written.
    setImmediate(() => input.write(next[1]));
  };
  const output = new Writable({
    write: (chunk, _, done) => {
      show(String(chunk));
      done();
    },
  });
  const terminal = {
    isInteractive: true,
    conversation: { input, output: Object.assign(output, { columns }) },
    writeOut: (text: string) => {
      out.stdout += text;
      show(text);
    },
    writeError: (text: string) => {
      out.stderr += text;
      show(text);
    },
  };
  const program = {
    name: "scaffold",
    version: "0.1.0",
    packageRoot: PACKAGE_ROOT,
    registry: async () => STANDARD_REGISTRY,
  };
  const status = await runCli({ args: line === "" ? [] : line.split(" "), cwd, terminal, program });
  return { status, ...out, unasked: left.map(([question]) => question) };
}
