import { createLogger, type Logger, type LogRecord, type LogSink } from "./logger.ts";

const GRACE_MS = 30_000;
const KEPT_RECORDS = 1000;

/**
 * Passes lines on to the logger that the program sets, and keeps the lines written before that.
 *
 * Without {@link setLogger} within 30 seconds it says so once on standard error, drops what it kept and stays silent.
 */
class DelegatingSink implements LogSink {
  #target: Logger | undefined;
  #kept: LogRecord[] = [];
  #isDropping = false;
  #grace: NodeJS.Timeout | undefined;

  isEnabled(verbosity: number): boolean {
    return this.#target === undefined ? !this.#isDropping : this.#target.v(verbosity).isEnabled();
  }

  write(record: LogRecord): void {
    if (this.#target !== undefined) {
      writeTo(this.#target, record);
    } else if (!this.#isDropping) {
      this.#keep(record);
    }
  }

  fulfil(target: Logger): void {
    clearTimeout(this.#grace);
    this.#target = target;
    const kept = this.#kept;
    this.#kept = [];
    for (const record of kept) {
      if (record.severity === "error" || target.v(record.verbosity).isEnabled()) {
        writeTo(target, record);
      }
    }
  }

  #keep(record: LogRecord): void {
    this.#grace ??= setTimeout(() => this.#giveUp(), GRACE_MS).unref();
    if (this.#kept.length < KEPT_RECORDS) {
      this.#kept.push(record);
    }
  }

  #giveUp(): void {
    this.#isDropping = true;
    this.#kept = [];
    process.emitWarning("log lines were written but setLogger was never called; they are dropped from now on", {
      code: "LOG_NOT_SET",
    });
  }
}

function writeTo(target: Logger, record: LogRecord): void {
  const named = record.name === "" ? target : target.withName(record.name);
  if (record.severity === "error") {
    named.error(record.error, record.message, record.fields);
  } else {
    named.v(record.verbosity).info(record.message, record.fields);
  }
}

const rootSink = new DelegatingSink();

/**
 * The program's logger: what the runtime and controllers log with when they are given none.
 *
 * Guarantees: loggers taken from it before {@link setLogger} write to the logger set later, lines written before it included.
 */
export const log: Logger = createLogger(rootSink);

/** Sets where {@link log} writes; called once at the start of a program, a later call replaces the logger. */
export function setLogger(logger: Logger): void {
  rootSink.fulfil(logger);
}
