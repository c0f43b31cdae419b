import { ScaffoldError } from "@kubescaffold/k8s";

import type { PinoLoggerOptions, TimeEncoding } from "./pino-logger.ts";

/** A command-line flag of a program. */
export interface ProgramFlag<Value> {
  /** The default value. */
  readonly value: Value;
  /** The help text. */
  readonly help: string;
  /** Matches the accepted values. Default: all values are accepted. */
  readonly accepts?: RegExp;
}

/**
 * The logging flags of a manager's command line, under the names that controller-runtime uses.
 *
 * controller-runtime: pkg/log/zap.Options.BindFlags
 *
 * @example
 * const FLAGS = { "webhook-port": { value: 9443, help: "port of the webhook server" }, ...logFlags };
 */
export const logFlags: {
  readonly "zap-devel": ProgramFlag<boolean>;
  readonly "zap-encoder": ProgramFlag<string>;
  readonly "zap-log-level": ProgramFlag<string>;
  readonly "zap-stacktrace-level": ProgramFlag<string>;
  readonly "zap-time-encoding": ProgramFlag<string>;
} = {
  "zap-devel": {
    value: true,
    help: "development mode: readable lines and debug messages",
  },
  "zap-encoder": { value: "", help: "format of log lines: json or console", accepts: /^(?:|json|console)$/u },
  "zap-log-level": {
    value: "",
    help: "log level: debug, info, error, panic (nothing), or a verbosity",
    accepts: /^(?:|debug|info|error|panic|[1-9]\d{0,2})$/u,
  },
  "zap-stacktrace-level": {
    value: "",
    help: "lowest level with stack traces: info, error, or panic (nothing)",
    accepts: /^(?:|info|error|panic)$/u,
  },
  "zap-time-encoding": {
    value: "",
    help: "format of times: epoch, millis, nano, iso8601, rfc3339, or rfc3339nano",
    accepts: /^(?:|epoch|millis|nano|iso8601|rfc3339|rfc3339nano)$/u,
  },
};

/** The values of {@link logFlags}; an empty text is a flag that is not set. */
export interface LogFlagValues {
  /** The value of `--zap-devel`. */
  readonly zapDevel: boolean;
  /** The value of `--zap-encoder`. */
  readonly zapEncoder: string;
  /** The value of `--zap-log-level`. */
  readonly zapLogLevel: string;
  /** The value of `--zap-stacktrace-level`. */
  readonly zapStacktraceLevel: string;
  /** The value of `--zap-time-encoding`. */
  readonly zapTimeEncoding: string;
}

/** Converts the values of {@link logFlags} into logger options. Fails: {@link LogFlagError} for a value that a flag does not accept. */
export function logOptionsOf(flags: LogFlagValues): PinoLoggerOptions {
  requireAccepted("zap-encoder", flags.zapEncoder);
  requireAccepted("zap-log-level", flags.zapLogLevel);
  requireAccepted("zap-stacktrace-level", flags.zapStacktraceLevel);
  requireAccepted("zap-time-encoding", flags.zapTimeEncoding);
  const { zapEncoder: encoder, zapTimeEncoding: timeEncoding, zapStacktraceLevel: stacks } = flags;
  return {
    development: flags.zapDevel,
    ...levelOf(flags.zapLogLevel),
    ...(encoder === "" ? {} : { encoder: encoder === "json" ? "json" : "console" }),
    // The pattern has accepted the value.
    ...(timeEncoding === "" ? {} : { timeEncoding: timeEncoding as TimeEncoding }),
    ...(stacks === "" ? {} : { stacks: stacks === "info" ? "all" : stacks === "error" ? "errors" : "none" }),
  };
}

function requireAccepted(name: Exclude<keyof typeof logFlags, "zap-devel">, value: string): void {
  const { accepts, help } = logFlags[name];
  if (accepts?.test(value) === false) throw new LogFlagError(name, value, help);
}

function levelOf(level: string): PinoLoggerOptions {
  switch (level) {
    case "":
      return {};
    case "debug":
      return { verbosity: 1 };
    case "info":
      return { verbosity: 0 };
    case "error":
      return { errorsOnly: true };
    case "panic":
      return { silent: true };
    default:
      return { verbosity: Number(level) };
  }
}

/**
 * Thrown when a logging flag, such as `--zap-log-level`, has an invalid value.
 *
 * Fix: Use one of the values that `--help` lists.
 */
export class LogFlagError extends ScaffoldError {
  readonly code = "LOG_FLAG_INVALID";

  constructor(name: string, value: string, help: string) {
    super(`cannot use --${name}=${value}: unknown value`, { hint: `use one of: ${help}` });
  }
}
