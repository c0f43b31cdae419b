import { createLogger, type Logger, type LogRecord, type LogSink } from "./logger.ts";

/**
 * A Node warning: a message was logged before a logger was set, so messages were dropped.
 *
 * Fix: Call `setLogger` before the first message is logged, as `cmd/main.ts` does.
 */
const LOG_NOT_SET = "LOG_NOT_SET";
const GRACE_MS = 30_000;
const KEPT_RECORDS = 1000;

/**
 * Forwards lines to the logger that the program sets, and buffers the lines written before that.
 *
 * Without {@link setLogger} within 30 seconds it warns once on standard error, drops the buffered lines, and stays silent.
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
    process.emitWarning("log lines were written but setLogger was not called; log lines are dropped", {
      code: LOG_NOT_SET,
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
 * The program's logger: the default of the runtime and of controllers.
 *
 * Guarantees: loggers derived from it before {@link setLogger} write to the logger set later, including lines written before.
 *
 * controller-runtime: pkg/log.Log
 */
export const log: Logger = createLogger(rootSink);

/**
 * Sets the logger that {@link log} writes to; call it once at the start of a program. A later call replaces the logger.
 *
 * controller-runtime: pkg/log.SetLogger
 */
export function setLogger(logger: Logger): void {
  rootSink.fulfil(logger);
}
