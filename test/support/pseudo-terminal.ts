import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { runSuccessfully } from "./run-program.ts";

const PROGRAM = fileURLToPath(new URL("pseudo-terminal.py", import.meta.url));

/** Whether programs can run at a pseudo-terminal: Node has none, Python does. */
export const hasPseudoTerminal: boolean =
  spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

/** The text that has to be shown, and the keys that are typed then; with null, the terminal is closed. */
export type Exchange = readonly [text: string, keys: string | null];

/** How a program at a terminal ended, and what it has shown, without control characters. */
export interface TerminalResult {
  readonly status: number;
  readonly screen: string;
  /** The texts that were not shown. */
  readonly unasked: readonly string[];
}

/** Runs a line of a shell at a pseudo-terminal of 40 lines and 200 columns. */
export async function runAtTerminal(
  cwd: string,
  line: string,
  exchanges: readonly Exchange[],
): Promise<TerminalResult> {
  const words = [PROGRAM, JSON.stringify(exchanges), "bash", "-c", line];
  const output = await runSuccessfully("python3", words, { cwd, env: { CI: "", TERM: "xterm" } });
  const { shown, ...result } = JSON.parse(output) as Omit<TerminalResult, "screen"> & { readonly shown: string };
  return { ...result, screen: stripVTControlCharacters(shown) };
}
