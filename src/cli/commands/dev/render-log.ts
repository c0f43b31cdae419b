import path from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { isRecord } from "@kubescaffold/platform";

import type { TextStyle } from "../../output/text-style.ts";
import { isOutcome, type LogEntry } from "./manager-log.ts";

/** How log lines are rendered. */
export interface LogStyle {
  readonly style: TextStyle;
  /** The folder of the project, which paths in stacks are relative to. */
  readonly root: string;
  /** Whether stacks include the frames of libraries, and lines all their fields. */
  readonly isVerbose: boolean;
}

/**
 * Renders a log entry as one line: time, level unless it is `info`, controller, object, message, fields, duration. Errors have further lines: the hint and
 * the frames of the project.
 */
export function renderEntry(entry: LogEntry, options: LogStyle): string {
  const { style } = options;
  const columns = [
    style.dim(clockTime(entry.ts)),
    levelOf(entry, style),
    style.cyan(plain(entry.controller ?? entry.logger)),
    style.bold(plain(entry.object ?? "")),
    messageOf(entry, options),
    entry.durationMs === undefined ? "" : style.dim(renderDuration(entry.durationMs)),
  ];
  const line = columns.filter((column) => column !== "").join(" ");
  return [line, ...errorLines(entry, options)].join("\n");
}

function levelOf({ level, verbosity }: LogEntry, style: TextStyle): string {
  if (level === "error") return style.red("ERROR");
  return level === "debug" && verbosity <= 1 ? style.dim("DEBUG") : "";
}

function messageOf(entry: LogEntry, { style, isVerbose }: LogStyle): string {
  if (isOutcome(entry)) return renderOutcome(entry, style);
  const message = plain(entry.message);
  const fields = Object.entries(entry.fields).filter(
    ([name]) => isVerbose || (!HIDDEN_FIELDS.has(name) && !repeatsObject(name, entry)),
  );
  const shown = fields.map(([name, value]) => `${plain(name)}=${fieldText(value, isVerbose)}`).join(" ");
  const text = [
    entry.level === "debug" ? style.dim(message) : message,
    entry.error === undefined ? "" : style.red(plain(entry.error)),
  ];
  return `${text.filter((part) => part !== "").join(": ")}${shown === "" ? "" : ` ${style.dim(shown)}`}`;
}

// Long, and of use only together with a search.
const HIDDEN_FIELDS = new Set(["reconcileID", "requestID", "controllerGroup", "controllerKind"]);

// The field with the name of the controller's kind, as controller-runtime has it, contains the object that the line starts with.
function repeatsObject(field: string, { fields, object }: LogEntry): boolean {
  const value = fields[field];
  if (field !== fields["controllerKind"] || !isRecord(value) || object === undefined) return false;
  const { name, namespace = "", ...others } = value;
  return (
    Object.keys(others).length === 0 && object === (namespace === "" ? name : `${String(namespace)}/${String(name)}`)
  );
}

function renderOutcome({ fields: { requeueAfterMs, requeue } }: LogEntry, style: TextStyle): string {
  const again =
    typeof requeueAfterMs === "number"
      ? `, again in ${renderDuration(requeueAfterMs)}`
      : requeue === true
        ? ", again after a delay"
        : "";
  return `${style.green("reconciled")}${again}`;
}

const LONGEST_FIELD = 120;
const LONGEST_NAMES = 1000;

function fieldText(value: unknown, isVerbose: boolean): string {
  const text = plain(typeof value === "string" && /^[^\s"=]+$/u.test(value) ? value : JSON.stringify(value));
  // Names, such as those of fields that differ, are of use only as a whole.
  const longest =
    Array.isArray(value) && value.every((item) => typeof item === "string") ? LONGEST_NAMES : LONGEST_FIELD;
  return isVerbose || text.length <= longest ? text : `${text.slice(0, longest)}…`;
}

function errorLines(entry: LogEntry, options: LogStyle): readonly string[] {
  const { style } = options;
  return [
    ...(entry.hint === undefined ? [] : [`  ${style.yellow("hint:")} ${plain(entry.hint)}`]),
    ...renderStack(entry.stack ?? "", options).map((line) => style.dim(line)),
  ];
}

/** Returns the lines of a stack without its first message: the frames of the project, and the causes with theirs. */
function renderStack(stack: string, options: LogStyle): readonly string[] {
  const lines = stack.split("\n");
  const first = lines.findIndex((line) => FRAME.test(line) || line.startsWith("caused by: "));
  if (first === -1) return [];
  return lines.slice(first).flatMap((line) => renderStackLine(line, options) ?? []);
}

/**
 * Renders a line of output that may be a frame of a stack: with a path relative to the project. Returns undefined for the frame of a library, unless
 * everything is shown.
 */
export function renderStackLine(line: string, { root, isVerbose }: LogStyle): string | undefined {
  const text = stripVTControlCharacters(line);
  const frame = FRAME.exec(text)?.groups;
  if (frame === undefined) return text;
  const { call = "", place = "" } = frame;
  const file = fileOf(place);
  const relative = file === undefined ? undefined : path.relative(root, file.path);
  const isOwn = relative !== undefined && isInside(relative) && !/(?:^|[/\\])node_modules[/\\]/u.test(relative);
  if (!isOwn || file === undefined) return isVerbose ? text : undefined;
  const shown = `${relative.replaceAll(path.sep, "/")}${file.position}`;
  return call === "" ? `    at ${shown}` : `    at ${call} (${shown})`;
}

const FRAME = /^\s+at (?:(?<call>[^(]*[^( ]) \()?(?<place>[^()]+)\)?$/u;

function fileOf(place: string): { readonly path: string; readonly position: string } | undefined {
  const { file = "", position = "" } = /^(?<file>.*?)(?<position>(?::\d+){1,2})$/u.exec(place)?.groups ?? {};
  if (file.startsWith("file:")) {
    try {
      return { path: fileURLToPath(file.split("?")[0] ?? file), position };
    } catch {
      return undefined;
    }
  }
  return path.isAbsolute(file) ? { path: file, position } : undefined;
}

function isInside(relative: string): boolean {
  return relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative);
}

/** Renders a duration: `8 ms`, `0.3 s`, `5 min`. */
export function renderDuration(milliseconds: number): string {
  if (milliseconds < 100) return `${milliseconds < 1 ? "<1" : String(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 10) return `${seconds.toFixed(1).replace(/\.0$/u, "")} s`;
  return seconds < 120 ? `${String(Math.round(seconds))} s` : `${String(Math.round(seconds / 60))} min`;
}

// Messages and objects may contain what moves the cursor or changes the title of a terminal.
function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- the characters that are removed
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu, "");
}

/** Returns the local time of day of a log line, or its time as it is. */
export function clockTime(ts: string): string {
  const date = new Date(/^\d+(?:\.\d+)?$/u.test(ts) ? Number(ts) * 1000 : ts);
  if (Number.isNaN(date.getTime())) return plain(ts);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, "0")).join(":");
}
