import { messageOf, readableError } from "@kubescaffold/k8s";

/** Names and values that a log line carries beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes log lines: a constant message, and fields with the values.
 *
 * Loggers are immutable and cheap; `withValues` and `withName` return loggers that write to the same sink.
 *
 * Guarantees: no call throws. Fields that cannot be read, and those that the sink cannot write, are replaced by a field `cannotLog` with the reason.
 *
 * @example
 * log.withName("guestbook").info("scaled the deployment", { replicas: 3 });
 */
export interface Logger {
  /** Writes a message for users of the program; a logger of `v(n)` writes it only if that verbosity is enabled. */
  info(message: string, fields?: LogFields): void;
  /** Writes an error with its stack at every verbosity. */
  error(error: unknown, message: string, fields?: LogFields): void;
  /** Writes a message for developers: short for `v(1).info`. */
  debug(message: string, fields?: LogFields): void;
  /** Returns a logger whose `info` is less important by that many levels; levels add up. */
  v(level: number): Logger;
  /** Reports whether `info` of this logger writes anything; check it before computing expensive fields. */
  isEnabled(): boolean;
  /** Returns a logger that adds these fields to every line; a later field replaces an earlier one of its name. */
  withValues(fields: LogFields): Logger;
  /** Returns a logger with an additional name segment: `manager.guestbook`. */
  withName(name: string): Logger;
}

/** A log line before it becomes text. */
export interface LogRecord {
  /** `error` for lines of {@link Logger.error}, `info` for all others. */
  readonly severity: "info" | "error";
  /** The verbosity of the line; 0 is the most important. */
  readonly verbosity: number;
  /** Name segments joined with dots; empty for the root logger. */
  readonly name: string;
  /** The constant message. */
  readonly message: string;
  /** The fields of the line and of its logger. */
  readonly fields: LogFields;
  /** The error of a line of severity `error`. */
  readonly error?: unknown;
}

/** Writes log records; adapts a logging library. */
export interface LogSink {
  /** Reports whether lines of a verbosity are written. */
  isEnabled(verbosity: number): boolean;
  /** Writes one line. */
  write(record: LogRecord): void;
}

/** Creates a logger on a sink. */
export function createLogger(sink: LogSink): Logger {
  return new SinkLogger(sink, { verbosity: 0, name: "", fields: {} });
}

interface LoggerScope {
  readonly verbosity: number;
  readonly name: string;
  readonly fields: LogFields;
}

class SinkLogger implements Logger {
  readonly #sink: LogSink;
  readonly #scope: LoggerScope;

  constructor(sink: LogSink, scope: LoggerScope) {
    this.#sink = sink;
    this.#scope = scope;
  }

  info(message: string, fields?: LogFields): void {
    if (this.isEnabled()) {
      this.#write({ severity: "info", message, ...this.#scope, fields: this.#merged(fields) });
    }
  }

  error(error: unknown, message: string, fields?: LogFields): void {
    this.#write({
      severity: "error",
      message,
      ...this.#scope,
      fields: this.#merged(fields),
      error: readableError(error),
    });
  }

  debug(message: string, fields?: LogFields): void {
    this.v(1).info(message, fields);
  }

  v(level: number): Logger {
    return this.#with({ verbosity: this.#scope.verbosity + Math.max(0, level) });
  }

  isEnabled(): boolean {
    try {
      return this.#sink.isEnabled(this.#scope.verbosity);
    } catch {
      return true;
    }
  }

  withValues(fields: LogFields): Logger {
    return this.#with({ fields: this.#merged(fields) });
  }

  withName(name: string): Logger {
    return this.#with({ name: this.#scope.name === "" ? name : `${this.#scope.name}.${name}` });
  }

  #merged(fields: LogFields | undefined): LogFields {
    try {
      return { ...this.#scope.fields, ...fields };
    } catch (error) {
      return { ...this.#scope.fields, cannotLog: messageOf(error) };
    }
  }

  // What writes about an error must not be another one, for example in the loop of a worker.
  #write(record: LogRecord): void {
    try {
      this.#sink.write(record);
    } catch (error) {
      try {
        const { error: failure, ...rest } = record;
        const text = record.severity === "error" ? { error: new Error(messageOf(failure)) } : {};
        this.#sink.write({ ...rest, ...text, fields: { cannotLog: messageOf(error) } });
      } catch {
        // The sink fails for any line.
      }
    }
  }

  #with(changes: Partial<LoggerScope>): Logger {
    return new SinkLogger(this.#sink, { ...this.#scope, ...changes });
  }
}

/** A logger that writes nothing. */
export const silentLogger: Logger = createLogger({ isEnabled: () => false, write: () => undefined });

/** A logger for tests that stores its lines and those of the loggers derived from it. */
export interface RecordingLogger extends Logger {
  /** The lines written so far, oldest first. */
  readonly records: readonly LogRecord[];
}

/** Creates a logger that stores its lines up to a verbosity, for assertions in tests. */
export function createRecordingLogger(maximalVerbosity: number = Number.POSITIVE_INFINITY): RecordingLogger {
  const records: LogRecord[] = [];
  const logger = createLogger({
    isEnabled: (verbosity) => verbosity <= maximalVerbosity,
    write: (record) => void records.push(record),
  });
  return Object.assign(logger, { records });
}
