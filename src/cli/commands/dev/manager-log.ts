/** A line of a manager's log. */
export interface LogEntry {
  readonly level: "error" | "info" | "debug";
  /** 0 for errors and messages of level `info`, 1 for `debug`, more for less important messages. */
  readonly verbosity: number;
  /** The time as the manager wrote it. */
  readonly ts: string;
  /** The name of the logger; empty for the root logger. */
  readonly logger: string;
  readonly message: string;
  readonly controller?: string;
  /** The object of a reconcile as `namespace/name`, or its name. */
  readonly object?: string;
  readonly error?: string;
  readonly code?: string;
  readonly hint?: string;
  readonly stack?: string;
  /** The duration of a reconcile. */
  readonly durationMs?: number;
  /** The other fields. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The arguments with which a manager writes lines that {@link parseLogLine} reads, with the outcome of each reconcile. */
export const STRUCTURED_LOG: readonly string[] = ["--zap-encoder=json", "--zap-log-level=5"];

/** Returns the entry of a line in the formats of `--zap-encoder`, JSON or console, or undefined for any other line. */
export function parseLogLine(line: string): LogEntry | undefined {
  const record = line.startsWith("{") ? parseRecord(line) : consoleRecord(line);
  if (record === undefined) return undefined;
  const { level, ts, logger, msg, ...fields } = record;
  if (typeof msg !== "string" || typeof level !== "string") return undefined;
  const severity = LEVELS[level.toLowerCase()];
  return severity === undefined
    ? undefined
    : { level: severity, ts: textOf(ts), logger: textOf(logger), message: msg, ...known(fields, severity) };
}

const LEVELS: Readonly<Record<string, LogEntry["level"]>> = {
  trace: "debug",
  debug: "debug",
  info: "info",
  warn: "info",
  error: "error",
  fatal: "error",
};

type Fields = Readonly<Record<string, unknown>>;

function parseRecord(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

const CONSOLE_START = /^\d[\d.:TZ+-]*\t[A-Z]+\t/u;

function consoleRecord(line: string): Fields | undefined {
  if (!CONSOLE_START.test(line)) return undefined;
  const [ts, level, ...rest] = line.split("\t");
  const fields = rest.length > 1 && rest.at(-1)?.startsWith("{") === true ? parseRecord(rest.at(-1) ?? "") : undefined;
  const texts = fields === undefined ? rest : rest.slice(0, -1);
  const [logger, message] = texts.length > 1 ? [texts[0], texts.slice(1).join("\t")] : [undefined, texts[0]];
  return { ...fields, ts, level, logger, msg: message };
}

function known(record: Fields, level: LogEntry["level"]): Omit<LogEntry, "level" | "ts" | "logger" | "message"> {
  const { v, controller, namespace, name, error, code, hint, stack, durationMs, ...fields } = record;
  const object = typeof name === "string" ? [namespace, name].filter((part) => typeof part === "string").join("/") : "";
  return {
    verbosity: level === "debug" ? (typeof v === "number" ? v : 1) : 0,
    ...texts({ controller, object, error, code, hint, stack }),
    ...(typeof durationMs === "number" ? { durationMs } : {}),
    fields,
  };
}

function texts(values: Fields): Pick<LogEntry, "controller" | "object" | "error" | "code" | "hint" | "stack"> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string" && value !== ""));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** The levels of `scaffold dev`, least output first; `all` includes messages with a verbosity above 1. */
export const SHOWN_LEVELS = ["error", "info", "debug", "all"] as const;

/** A level of the messages that are shown. */
export type ShownLevel = (typeof SHOWN_LEVELS)[number];

/**
 * Reports whether an entry is shown at a level: the outcome of a reconcile from `info` on, and the steps in which a manager starts and stops only with `all`.
 */
export function isShown(entry: LogEntry, level: ShownLevel): boolean {
  if (entry.level === "error" || level === "all") return true;
  if (level === "error" || STEPS.has(entry.message)) return false;
  return isOutcome(entry) || entry.verbosity <= (level === "debug" ? 1 : 0);
}

// Of the runtime and of cmd/main.ts: the same with each restart.
const STEPS = new Set([
  "Starting manager",
  "registering webhook",
  "serving webhook server",
  "shutting down webhook server",
  "starting a runnable",
  "starting event source",
  "starting workers",
  "all workers finished",
  "stopping and waiting for runnables",
]);

/** Reports whether an entry is the outcome of a reconcile that succeeded. */
export function isOutcome({ message, durationMs }: LogEntry): boolean {
  return message === "reconciled" && durationMs !== undefined;
}

/** Messages of a manager that has started. */
const READY = new Set(["starting workers", "serving webhook server", "successfully acquired lease"]);

/** Reports whether an entry shows that controllers or webhooks run. */
export function isReady({ message }: LogEntry): boolean {
  return READY.has(message);
}
