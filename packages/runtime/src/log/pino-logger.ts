import { inspect } from "node:util";

import {
  causesOf,
  messageOf,
  parseLosslessJson,
  printLosslessJson,
  readableError,
  checkNumbers,
} from "@kubescaffold/k8s";
import { pino, type DestinationStream, type Logger as PinoInstance } from "pino";

import { createLogger, type Logger, type LogRecord, type LogSink } from "./logger.ts";

/**
 * Settings of {@link createPinoLogger}.
 *
 * controller-runtime: pkg/log/zap.Options
 */
export interface PinoLoggerOptions {
  /** The highest verbosity written: 0 writes `info`, 1 also `debug`. Default: 1 in development mode, otherwise 0. */
  readonly verbosity?: number;
  /** Writes readable lines and debug messages for a terminal, in place of JSON. Default: false. */
  readonly development?: boolean;
  /** The format of lines in either mode. Default: `console` in development mode, otherwise `json`. */
  readonly encoder?: "json" | "console";
  /** The format of times. Default: `iso8601`, with milliseconds, in UTC. */
  readonly timeEncoding?: TimeEncoding;
  /** The lines that carry a stack trace; `all` includes messages of verbosity 0. Default: `errors`. */
  readonly stacks?: "all" | "errors" | "none";
  /** The stream that receives the lines. Default: standard error. */
  readonly destination?: DestinationStream;
  /** Writes only errors. Default: false. */
  readonly errorsOnly?: boolean;
  /** Writes nothing, not even errors. Default: false. */
  readonly silent?: boolean;
}

/** A time as seconds, milliseconds or nanoseconds since 1970, or as text: with milliseconds, seconds, or fractions without zeros at the end. */
export type TimeEncoding = "epoch" | "millis" | "nano" | "iso8601" | "rfc3339" | "rfc3339nano";

/**
 * Creates a logger on pino: JSON lines with `level`, `ts`, `logger`, `msg`, `error`, and `stack`, as upstream controllers write them. Lines with a verbosity
 * above 1 have it as `v`.
 *
 * Kubernetes objects are written as their name and namespace, so that no secret is logged through a field.
 *
 * controller-runtime: pkg/log/zap.New
 */
export function createPinoLogger(options: PinoLoggerOptions = {}): Logger {
  return createLogger(new PinoSink(options));
}

class PinoSink implements LogSink {
  readonly #pino: PinoInstance;
  readonly #maximalVerbosity: number;
  readonly #stacks: NonNullable<PinoLoggerOptions["stacks"]>;

  constructor(options: PinoLoggerOptions) {
    checkNumbers("the logger", options, { verbosity: "number" });
    this.#maximalVerbosity = options.errorsOnly === true ? -1 : (options.verbosity ?? (options.development ? 1 : 0));
    this.#stacks = options.stacks ?? "errors";
    const { encoder = options.development === true ? "console" : "json", timeEncoding = "iso8601" } = options;
    this.#pino = pino(
      {
        base: null,
        messageKey: "msg",
        level: options.silent === true ? "silent" : "trace",
        timestamp: () => `,"ts":${timeText(timeEncoding, new Date(), encoder)}`,
        formatters: { level: (label) => ({ level: label }) },
      },
      encoder === "console"
        ? consoleStream(options.destination ?? process.stderr)
        : (options.destination ?? pino.destination({ dest: 2, sync: true })),
    );
  }

  isEnabled(verbosity: number): boolean {
    return verbosity <= this.#maximalVerbosity && this.#pino.level !== "silent";
  }

  write(record: LogRecord): void {
    const fields = lineFields(record, this.#stacks);
    if (record.severity === "error") {
      this.#pino.error(fields, record.message);
    } else if (record.verbosity > 0) {
      this.#pino.debug(fields, record.message);
    } else {
      this.#pino.info(fields, record.message);
    }
  }
}

// Numbers beyond JavaScript's precision stay text; the console encoder expects text, too.
function timeText(encoding: TimeEncoding, time: Date, encoder: "json" | "console"): string {
  const milliseconds = time.getTime();
  const iso = time.toISOString();
  const quote = (text: string): string => (encoder === "console" ? `"${text}"` : text);
  switch (encoding) {
    case "epoch":
      return quote(String(milliseconds / 1000));
    case "millis":
      return quote(String(milliseconds));
    case "nano":
      return quote(`${String(milliseconds)}000000`);
    case "iso8601":
      return `"${iso}"`;
    case "rfc3339":
      return `"${iso.replace(/\.\d+/u, "")}"`;
    case "rfc3339nano":
      return `"${iso.replace(/(?:\.0*|(?<=[1-9])0+)Z$/u, "Z")}"`;
  }
}

function lineFields(record: LogRecord, stacks: NonNullable<PinoLoggerOptions["stacks"]>): Record<string, unknown> {
  const fields: Record<string, unknown> = {
    ...(record.name === "" ? {} : { logger: record.name }),
    // The level is debug for all of them.
    ...(record.verbosity > 1 ? { v: record.verbosity } : {}),
  };
  for (const [name, value] of Object.entries(record.fields)) {
    fields[name] = readable(value);
  }
  if (record.severity === "error") {
    Object.assign(fields, errorFields(record.error, stacks !== "none"));
  } else if (stacks === "all" && record.verbosity === 0) {
    fields["stack"] = placeOfCall();
  }
  return fields;
}

const OWN_FRAMES = /\b(?:placeOfCall|lineFields|PinoSink|SinkLogger|DelegatingSink|writeTo)\b/u;

function placeOfCall(): string {
  const [, ...frames] = (new Error("placeOfCall").stack ?? "").split("\n");
  return frames.filter((frame) => !OWN_FRAMES.test(frame)).join("\n");
}

function errorFields(error: unknown, withStack: boolean): Record<string, unknown> {
  if (!(error instanceof Error)) {
    return error === undefined || error === null ? {} : { error: typeof error === "string" ? error : inspected(error) };
  }
  const code = "code" in error && typeof error.code === "string" ? { code: error.code } : {};
  const hint = "hint" in error && typeof error.hint === "string" ? { hint: error.hint } : {};
  return { error: error.message, ...code, ...hint, ...(withStack ? { stack: stackWithCauses(error) } : {}) };
}

function inspected(value: unknown): string {
  try {
    return inspect(value);
  } catch {
    return messageOf(value);
  }
}

function stackWithCauses(error: Error): string {
  const stacks: string[] = [];
  for (const each of causesOf(error)) {
    const known = readableError(each);
    if (!(known instanceof Error)) continue;
    if (stacks.length === MOST_STACKS) return [...stacks, "more causes"].join("\ncaused by: ");
    stacks.push(known.stack ?? `${known.name}: ${known.message}`);
  }
  return stacks.join("\ncaused by: ");
}

const MOST_STACKS = 20;

function readable(value: unknown): unknown {
  try {
    return loggable(value);
  } catch (error) {
    return `cannot log the value: ${messageOf(error)}`;
  }
}

function loggable(value: unknown): unknown {
  if (value instanceof Error) {
    return value.message;
  }
  if (typeof value === "bigint") {
    return value.toString();
  }
  return isKubernetesObject(value) ? objectReference(value) : value;
}

interface LoggableObject {
  readonly kind: string;
  readonly metadata: { readonly name?: string; readonly namespace?: string };
}

function isKubernetesObject(value: unknown): value is LoggableObject {
  const candidate = value as { kind?: unknown; metadata?: unknown } | null | undefined;
  return (
    typeof candidate === "object" &&
    candidate !== null &&
    typeof candidate.kind === "string" &&
    typeof candidate.metadata === "object" &&
    candidate.metadata !== null
  );
}

function objectReference({ kind, metadata: { name, namespace } }: LoggableObject): Record<string, unknown> {
  return { kind, ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
}

// Converts pino's JSON into readable lines; parsing each line again is acceptable in development.
function consoleStream(destination: { write(text: string): unknown }): DestinationStream {
  return {
    write: (line) => {
      const { level, ts, logger, msg, stack, ...fields } = parseLosslessJson(line) as Record<string, string>;
      const columns = [ts, level?.toUpperCase(), logger, msg].filter((column) => column !== undefined);
      const rest = Object.keys(fields).length === 0 ? "" : `\t${printLosslessJson(fields)}`;
      destination.write(`${columns.join("\t")}${rest}\n${stack === undefined ? "" : `${stack}\n`}`);
    },
  };
}
