import { checkLevel } from "./levels.ts";

/** Indentation beyond this level would be longer than the text itself. */
const INDENTED_LEVELS = 100;

/** An object or list that is being printed. */
interface Open {
  readonly value: object;
  /** The names of the members; undefined for a list. */
  readonly names: readonly string[] | undefined;
  readonly length: number;
  readonly lineBreak: string;
  next: number;
  isEmpty: boolean;
}

/**
 * Prints a value as `JSON.stringify` does, without limits of nesting; a `bigint` becomes its digits.
 *
 * Guarantees: levels beyond 100 have the indentation of level 100, so that the text grows in proportion to the value.
 * Fails: `EndlessValueError` for a value that contains itself.
 */
export function printDeepJson(root: unknown, space: number = 0): string | undefined {
  const pieces: string[] = [];
  const open: Open[] = [];
  const start = (value: unknown): void => {
    if (typeof value !== "object" || value === null) {
      pieces.push(scalarText(value) ?? "null");
      return;
    }
    checkLevel(open.length);
    const names = Array.isArray(value) ? undefined : Object.keys(value);
    const indent = " ".repeat(space * Math.min(open.length + 1, INDENTED_LEVELS));
    pieces.push(names === undefined ? "[" : "{");
    open.push({
      value,
      names,
      length: names?.length ?? (value as readonly unknown[]).length,
      lineBreak: space === 0 ? "" : `\n${indent}`,
      next: 0,
      isEmpty: true,
    });
  };
  const first = jsonForm(root, "");
  if (!hasForm(first)) return undefined;
  start(first);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.length) close(open, pieces);
    else startNext(top, pieces, { space, start });
  }
  return pieces.join("");
}

/** What {@link startNext} needs of the run. */
interface Run {
  readonly space: number;
  readonly start: (value: unknown) => void;
}

function startNext(top: Open, pieces: string[], { space, start }: Run): void {
  const { value, names, lineBreak } = top;
  const key = names === undefined ? String(top.next) : (names[top.next] ?? "");
  top.next += 1;
  const part = jsonForm((value as Readonly<Record<string, unknown>>)[key], key);
  if (names !== undefined && !hasForm(part)) return;
  pieces.push(top.isEmpty ? lineBreak : `,${lineBreak}`);
  if (names !== undefined) pieces.push(JSON.stringify(key), space === 0 ? ":" : ": ");
  top.isEmpty = false;
  start(part);
}

function close(open: Open[], pieces: string[]): void {
  const closed = open.pop();
  if (closed?.isEmpty === false && closed.lineBreak !== "") pieces.push(open.at(-1)?.lineBreak ?? "\n");
  pieces.push(closed?.names === undefined ? "]" : "}");
}

/** Returns what is printed for a value: the result of its `toJSON`, and the primitive of a wrapper object. */
export function jsonForm(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { toJSON } = value as { readonly toJSON?: unknown };
  const form: unknown = typeof toJSON === "function" ? toJSON.call(value, key) : value;
  return isBoxed(form) ? form.valueOf() : form;
}

function isBoxed(value: unknown): value is { valueOf(): unknown } {
  return typeof value === "object" && BOXED.test(Object.prototype.toString.call(value));
}

const BOXED = /^\[object (?:Number|String|Boolean|BigInt)\]$/u;

function hasForm(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function scalarText(value: unknown): string | undefined {
  return typeof value === "bigint" ? String(value) : JSON.stringify(value);
}
