import { createLogger, type Logger, type LogRecord } from "./logger.ts";

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
