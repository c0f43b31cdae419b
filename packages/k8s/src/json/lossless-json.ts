import { ScaffoldError } from "../failures/errors.ts";
import { jsonForm, printDeepJson } from "./print-deep-json.ts";

/**
 * Thrown when a value without a JSON form, such as `NaN` or `Infinity`, would be written as JSON.
 *
 * Fix: Write a finite number.
 */
export class UnprintableNumberError extends ScaffoldError {
  readonly code = "CLIENT_UNPRINTABLE_NUMBER";

  constructor(value: number) {
    super(`cannot write ${String(value)} as JSON`, { hint: "write a finite number, or leave the field out" });
  }
}

// The digits of every 64-bit integer; a longer one is a float in Go, too.
const LONG_DIGITS = 16;
const INTEGER = /(?<![\d.eE+-])-?\d{16,20}(?![\d.eE])/g;

// Marks a text as an integer; its value cannot be guessed, so no text of an object is mistaken for it. Few programs meet such integers, and random values take time.
let knownMark: string | undefined;

function integerMark(): string {
  return (knownMark ??= `${crypto.randomUUID()}:`);
}

/**
 * Parses a JSON text; integers of 16 to 20 digits that a number cannot hold exactly, beyond ±(2^53 - 1), become a `bigint`.
 *
 * Guarantees: a text without a number of 16 digits costs only a search for digits more than `JSON.parse`.
 * Fails: with a `SyntaxError` if the text is not JSON.
 *
 * @example
 * parseLosslessJson('{"id":9007199254740993}'); // { id: 9007199254740993n }
 */
export function parseLosslessJson(text: string): unknown {
  return parseExact(text, isInexact);
}

/**
 * Parses a JSON text as API servers do: an integer that a number cannot hold exactly becomes a `bigint` if it fits in 64 bits with a sign, and the
 * nearest number otherwise, as it becomes a `float64` in Go.
 *
 * Guarantees: a text without a number of 16 digits costs only a search for digits more than `JSON.parse`.
 * Fails: with a `SyntaxError` if the text is not JSON.
 */
export function parseServerJson(text: string): unknown {
  return parseExact(text, isInexactInt64);
}

/** Returns an integer as API servers store it, as in {@link parseServerJson}. */
export function serverInteger(value: bigint): bigint | number {
  const number = Number(value);
  return Number.isSafeInteger(number) || BigInt.asIntN(64, value) !== value ? number : value;
}

function parseExact(text: string, isMarked: (digits: string) => boolean): unknown {
  const value: unknown = JSON.parse(text);
  if (!hasLongNumber(text)) {
    return value;
  }
  const marked = markIntegers(text, isMarked);
  return marked === undefined ? value : withoutMarks(JSON.parse(marked));
}

/**
 * Writes a value as JSON; a `bigint` becomes its digits.
 *
 * Guarantees: any number of levels, of which API servers store more than `JSON.stringify` writes.
 * Fails: {@link UnprintableNumberError} for a number that is not finite, which `JSON.stringify` replaces with null.
 */
export function printLosslessJson(value: unknown): string {
  const text = printServerJson(value);
  if (text?.includes("null")) {
    requirePrintable(value);
  }
  return text;
}

/**
 * Writes a value that was read with {@link parseServerJson}, and so has no number that is not finite; a `bigint` becomes its digits.
 *
 * Guarantees: a value without a `bigint`, and with less than some thousand levels, costs no more than `JSON.stringify`.
 */
export function printServerJson(value: unknown, space?: number): string {
  try {
    return JSON.stringify(value, undefined, space);
  } catch (error) {
    if (!(error instanceof Error && /call stack|BigInt/u.test(error.message))) throw error;
    // As with JSON.stringify, the result is undefined for a value without a JSON form.
    return printDeepJson(value, space) as string;
  }
}

/** Fails with {@link UnprintableNumberError} for a value with a number that is not finite. */
function requirePrintable(root: unknown): void {
  const open: unknown[] = [];
  const visit = (value: unknown, key: string): void => {
    const form = jsonForm(value, key);
    if (typeof form === "number" && !Number.isFinite(form)) throw new UnprintableNumberError(form);
    if (typeof form === "object" && form !== null) open.push(form);
  };
  visit(root, "");
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    for (const [key, part] of Object.entries(top as object)) visit(part, key);
  }
}

/** Reports whether a text has 16 digits in a row. Of these, one is at each 16th place, so that the others need no look. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG_DIGITS - 1; at < text.length; at += LONG_DIGITS) {
    if (!isDigit(text, at)) continue;
    // Of 16 digits in a row around a place, one is 8 places before or behind it.
    if (!isDigit(text, at - LONG_DIGITS / 2) && !isDigit(text, at + LONG_DIGITS / 2)) continue;
    let start = at;
    while (isDigit(text, start - 1)) start -= 1;
    while (isDigit(text, at + 1)) at += 1;
    if (at - start + 1 >= LONG_DIGITS) return true;
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** Returns a text with the inexact integers outside of strings marked; undefined if there are none. */
function markIntegers(text: string, isMarked: (digits: string) => boolean): string | undefined {
  const pieces: string[] = [];
  let hasMarks = false;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const end = quote < 0 ? text.length : quote;
    const plain = text.slice(at, end);
    const changed = hasLongNumber(plain)
      ? plain.replaceAll(INTEGER, (digits) => (isMarked(digits) ? `"${integerMark()}${digits}"` : digits))
      : plain;
    hasMarks ||= changed !== plain;
    const next = quote < 0 ? end : endOfString(text, quote);
    pieces.push(changed, text.slice(end, next));
    at = next;
  }
  return hasMarks ? pieces.join("") : undefined;
}

function isInexact(digits: string): boolean {
  return !Number.isSafeInteger(Number(digits));
}

function isInexactInt64(digits: string): boolean {
  return typeof serverInteger(BigInt(digits)) === "bigint";
}

/** Replaces the marked texts in a value that was just parsed, and so belongs to nobody else. */
function withoutMarks(root: unknown): unknown {
  const whole = { root };
  const open: object[] = [whole];
  const work = { mark: integerMark(), open };
  for (let top = open.pop(); top !== undefined; top = open.pop()) {
    // The keys of a list are numbers as texts, which are slow.
    if (Array.isArray(top)) for (let index = 0; index < top.length; index += 1) unmarkPart(top, index, work);
    else for (const key of Object.keys(top)) unmarkPart(top, key, work);
  }
  return whole.root;
}

function unmarkPart(
  container: object,
  key: string | number,
  { mark, open }: { readonly mark: string; readonly open: object[] },
): void {
  const parts = container as Record<string | number, unknown>;
  const part = parts[key];
  // A member of the object itself, also one named __proto__, is replaced.
  if (typeof part === "string" && part.startsWith(mark)) parts[key] = BigInt(part.slice(mark.length));
  else if (typeof part === "object" && part !== null) open.push(part);
}

/** Returns the index after the string that starts at an index of a valid text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) {
    end = text.indexOf('"', end + 1);
  }
  return end + 1;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text[at - 1 - backslashes] === "\\") {
    backslashes += 1;
  }
  return backslashes % 2 === 1;
}
