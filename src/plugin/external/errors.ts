import { ScaffoldError } from "@kubescaffold/k8s";

const UNTOUCHED = "nothing was written";

/** Is thrown when an external plugin does not start, ends with a failure, or takes too long. */
export class PluginFailedError extends ScaffoldError {
  readonly code = "PLUGIN_FAILED";
  constructor(key: string, { reason, cause }: { readonly reason: string; readonly cause?: unknown }) {
    super(`plugin ${key} ${reason}`, { hint: `what it prints on standard error is above; ${UNTOUCHED}`, cause });
  }
}

/** Is thrown when an external plugin reports errors of its own; they are the message. */
export class PluginReportedError extends ScaffoldError {
  readonly code = "PLUGIN_REPORTED";
  constructor(key: string, messages: readonly string[]) {
    super(`plugin ${key}: ${messages.length === 0 ? "it reports an error without a message" : messages.join("\n")}`, {
      hint: `the plugin refused; ${UNTOUCHED}`,
    });
  }
}

/** Is thrown when what an external plugin prints is not the answer that the protocol asks for. */
export class PluginAnswerError extends ScaffoldError {
  readonly code = "PLUGIN_BAD_ANSWER";
  constructor(key: string, reason: string) {
    super(`cannot read the answer of plugin ${key}: ${reason}`, {
      hint: `a plugin prints one JSON document on standard output and everything else on standard error; ${UNTOUCHED}`,
    });
  }
}
