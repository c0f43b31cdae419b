import { ScaffoldError } from "@kubescaffold/k8s";

const UNTOUCHED = "nothing was written";

/**
 * Thrown when an external plugin did not start, ended with a failure, or took too long.
 *
 * Fix: See what it printed; `KUBESCAFFOLD_PLUGIN_TIMEOUT_SECONDS` gives it more time.
 */
export class PluginFailedError extends ScaffoldError {
  readonly code = "PLUGIN_FAILED";
  constructor(key: string, { reason, cause }: { readonly reason: string; readonly cause?: unknown }) {
    super(`plugin ${key} ${reason}`, { hint: `what it prints on standard error is above; ${UNTOUCHED}`, cause });
  }
}

/**
 * Thrown when an external plugin refused and said why.
 *
 * Fix: Do what its message says.
 */
export class PluginReportedError extends ScaffoldError {
  readonly code = "PLUGIN_REPORTED";
  constructor(key: string, messages: readonly string[]) {
    super(`plugin ${key}: ${messages.length === 0 ? "it reports an error without a message" : messages.join("\n")}`, {
      hint: `the plugin refused; ${UNTOUCHED}`,
    });
  }
}

/**
 * Thrown when what an external plugin printed is not the answer that the protocol asks for.
 *
 * Fix: Print one JSON document on standard output, everything else on standard error.
 */
export class PluginAnswerError extends ScaffoldError {
  readonly code = "PLUGIN_BAD_ANSWER";
  constructor(key: string, reason: string) {
    super(`cannot read the answer of plugin ${key}: ${reason}`, {
      hint: `a plugin prints one JSON document on standard output and everything else on standard error; ${UNTOUCHED}`,
    });
  }
}
