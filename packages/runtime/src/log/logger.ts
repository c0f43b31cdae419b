/** Names and values that a log line carries beside its message. */
export type LogFields = Readonly<Record<string, unknown>>;

/**
 * Writes log lines: a message that is the same every time, and fields that say what it is about.
 *
 * Loggers are immutable and cheap; `withValues` and `withName` return others that write to the same sink.
 *
 * @example
 * log.withName("guestbook").info("scaled the deployment", { replicas: 3 });
 */
export interface Logger {
  /** Writes what an operator of the program wants to see; in a logger of `v(n)` only if that verbosity is on. */
  info(message: string, fields?: LogFields): void;
  /** Writes a failure with its error, stack included; verbosity does not matter. */
  error(error: unknown, message: string, fields?: LogFields): void;
  /** Writes what only a developer wants to see: short for `v(1).info`. */
  debug(message: string, fields?: LogFields): void;
  /** Returns a logger whose `info` is that much less important; levels add up. */
  v(level: number): Logger;
  /** Says whether `info` of this logger goes anywhere; asks before costly fields are put together. */
  isEnabled(): boolean;
  /** Returns a logger that adds these fields to every line; later fields of the same name win. */
  withValues(fields: LogFields): Logger;
  /** Returns a logger with a further name segment: `manager.guestbook`. */
  withName(name: string): Logger;
}

/** One log line before it becomes text. */
export interface LogRecord {
  readonly severity: "info" | "error";
  /** 0 is ordinary information; the higher, the less important. */
  readonly verbosity: number;
  /** Name segments joined with dots; empty for the root. */
  readonly name: string;
  readonly message: string;
  readonly fields: LogFields;
  readonly error?: unknown;
}

/** Takes log lines: the door to a logging library. */
export interface LogSink {
  isEnabled(verbosity: number): boolean;
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
      this.#sink.write({ severity: "info", message, ...this.#scope, fields: { ...this.#scope.fields, ...fields } });
    }
  }

  error(error: unknown, message: string, fields?: LogFields): void {
    const merged = { ...this.#scope.fields, ...fields };
    this.#sink.write({ severity: "error", message, ...this.#scope, fields: merged, error });
  }

  debug(message: string, fields?: LogFields): void {
    this.v(1).info(message, fields);
  }

  v(level: number): Logger {
    return this.#with({ verbosity: this.#scope.verbosity + Math.max(0, level) });
  }

  isEnabled(): boolean {
    return this.#sink.isEnabled(this.#scope.verbosity);
  }

  withValues(fields: LogFields): Logger {
    return this.#with({ fields: { ...this.#scope.fields, ...fields } });
  }

  withName(name: string): Logger {
    return this.#with({ name: this.#scope.name === "" ? name : `${this.#scope.name}.${name}` });
  }

  #with(changes: Partial<LoggerScope>): Logger {
    return new SinkLogger(this.#sink, { ...this.#scope, ...changes });
  }
}

/** A logger that writes nothing. */
export const silentLogger: Logger = createLogger({ isEnabled: () => false, write: () => undefined });

/** A logger for tests, with the lines written to it and to the loggers derived from it. */
export interface RecordingLogger extends Logger {
  readonly records: readonly LogRecord[];
}

/** Creates a logger that keeps its lines, up to a verbosity, for a test to look at. */
export function createRecordingLogger(maximalVerbosity: number = Number.POSITIVE_INFINITY): RecordingLogger {
  const records: LogRecord[] = [];
  const logger = createLogger({
    isEnabled: (verbosity) => verbosity <= maximalVerbosity,
    write: (record) => void records.push(record),
  });
  return Object.assign(logger, { records });
}

/** Returns the message of an error, or whatever else was thrown as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
