import { isExplained } from "@kubescaffold/generators/diagnostics";
import { messageOf } from "@kubescaffold/k8s";

import { fileFailure } from "../../machinery/disk-failure.ts";
import { GenerateFailedError } from "../command/errors.ts";
import type { Terminal } from "../command/terminal.ts";
import { type Callers, withCall } from "./report-outcome.ts";

const USAGE_CODES = new Set(["CLI_UNKNOWN_COMMAND", "CLI_UNKNOWN_FLAG", "ENVTEST_UNKNOWN_SERVER_FLAG"]);
const INPUT_CODES = new Set([
  "CLI_INVALID_FLAG",
  "CLI_MISSING_FLAG",
  "ENVTEST_PATH_MISSING",
  "ENVTEST_REHEARSE_OPTIONS",
  "ENVTEST_VERIFY_OPTIONS",
]);

/**
 * Prints an error, as text or as JSON, and returns the exit status: 2 for a command or flag that does not exist, 1 for all else. A command whose status 1 is a
 * result has 2 for invalid inputs, and 3 for all else.
 */
export function reportError(
  thrown: unknown,
  {
    terminal,
    asJson,
    program = {},
    hasOwnStatus = false,
  }: {
    readonly terminal: Terminal;
    readonly asJson: boolean;
    readonly program?: Callers;
    readonly hasOwnStatus?: boolean;
  },
): number {
  const error = fileFailure(thrown);
  if (!isExplained(error)) {
    reportBug(error, terminal);
    return hasOwnStatus ? 3 : 1;
  }
  const { code } = error;
  const message = withCall(error.message, program);
  const hint = error.hint === undefined ? undefined : withCall(error.hint, program);
  if (asJson) {
    terminal.writeOut(
      `${JSON.stringify({ error: { code, message, ...(hint === undefined ? {} : { hint }) } }, undefined, 2)}\n`,
    );
  } else {
    terminal.writeError(`error: ${withCode(message, code)}\n`);
    if (hint !== undefined) terminal.writeError(`hint: ${hint}\n`);
    const topic = error instanceof GenerateFailedError ? (error.topic ?? code) : code;
    if (terminal.isInteractive) terminal.writeError(renderMore(topic, program));
  }
  if (USAGE_CODES.has(code)) return 2;
  if (!hasOwnStatus) return 1;
  return INPUT_CODES.has(code) ? 2 : 3;
}

/** Returns a message with its code at the end of the first line, before the colon if further lines continue it. */
export function withCode(message: string, code: string): string {
  const [first = "", ...rest] = message.split("\n");
  if (rest.length === 0 || !first.endsWith(":")) return [`${first} [${code}]`, ...rest].join("\n");
  return [`${first.slice(0, -1)} [${code}]:`, ...rest].join("\n");
}

/** Renders where to read on about an error code. */
export function renderMore(code: string, program: Callers): string {
  return `more: ${withCall(`\`scaffold explain ${code}\``, program)}\n`;
}

function reportBug(error: unknown, terminal: Terminal): void {
  const text = error instanceof Error ? (error.stack ?? error.message) : messageOf(error);
  terminal.writeError(`error: internal error: this is a bug\n${text}\n`);
  terminal.writeError("hint: report it with the command and the lines above\n");
}
