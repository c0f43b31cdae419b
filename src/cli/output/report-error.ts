import { isExplained } from "../../diagnostics/explained-error.ts";
import { fileFailure } from "../../machinery/disk-failure.ts";
import type { Terminal } from "./terminal.ts";

const USAGE_CODES = new Set(["CLI_UNKNOWN_COMMAND", "CLI_UNKNOWN_FLAG"]);

/** Prints an error, as text or as JSON, and returns the exit status: 2 for a command or flag that does not exist, 1 for all else. */
export function reportError(
  thrown: unknown,
  { terminal, asJson }: { readonly terminal: Terminal; readonly asJson: boolean },
): number {
  const error = fileFailure(thrown);
  if (!isExplained(error)) {
    reportBug(error, terminal);
    return 1;
  }
  if (asJson) {
    const { code, message, hint } = error;
    terminal.writeOut(
      `${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } }, undefined, 2)}\n`,
    );
  } else {
    terminal.writeError(`error: ${error.message} [${error.code}]\n`);
    if (error.hint !== undefined) terminal.writeError(`hint: ${error.hint}\n`);
  }
  return USAGE_CODES.has(error.code) ? 2 : 1;
}

function reportBug(error: unknown, terminal: Terminal): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  terminal.writeError(`error: internal error: this is a bug\n${text}\n`);
  terminal.writeError("hint: report it with the command and the lines above\n");
}
