import { ScaffoldError } from "@kubescaffold/k8s";

const UNTOUCHED = "nothing was written";

/**
 * Thrown when an external plugin did not start, exited with an error, or timed out.
 *
 * Fix: Read its output; set `KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS` to increase the timeout.
 */
export class PluginFailedError extends ScaffoldError {
  readonly code = "PLUGIN_FAILED";
  constructor(key: string, { reason, cause }: { readonly reason: string; readonly cause?: unknown }) {
    super(`plugin ${key} ${reason}`, { hint: `see its standard error above; ${UNTOUCHED}`, cause });
  }
}

/**
 * Thrown when an external plugin rejected the command.
 *
 * Fix: Follow its message.
 */
export class PluginReportedError extends ScaffoldError {
  readonly code = "PLUGIN_REPORTED";
  constructor(key: string, messages: readonly string[]) {
    super(`plugin ${key}: ${messages.length === 0 ? "failed without an error message" : messages.join("\n")}`, {
      hint: `fix the error that the plugin reports; ${UNTOUCHED}`,
    });
  }
}

/**
 * Thrown when the output of an external plugin does not match the protocol.
 *
 * Fix: Print one JSON document to standard output, and everything else to standard error.
 */
export class PluginAnswerError extends ScaffoldError {
  readonly code = "PLUGIN_BAD_ANSWER";
  constructor(key: string, reason: string) {
    super(`cannot read the response of plugin ${key}: ${reason}`, {
      hint: `print one JSON document to standard output and everything else to standard error; ${UNTOUCHED}`,
    });
  }
}
