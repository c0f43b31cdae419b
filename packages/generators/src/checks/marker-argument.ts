import type { MarkerComment, SourceLocation } from "../loader/type-model.ts";

/** A piece of a marker's text; the offset counts from its `+`. */
export interface ArgumentSpan {
  readonly offset: number;
  readonly length: number;
}

/** Finds the value of a marker, or of one of its arguments, within its text; undefined when it is not there. */
export function findArgument(text: string, argument?: string): ArgumentSpan | undefined {
  const equals = text.indexOf("=");
  if (equals === -1) return undefined;
  if (argument === undefined) return trimmed(text, equals + 1, text.length);
  const head = text.lastIndexOf(":", equals);
  const start = text[equals - 1] === ":" ? text.lastIndexOf(":", equals - 2) : head;
  for (const part of splitArguments(text, start + 1)) {
    const name = /^\s*([\w-]+)\s*:?=/u.exec(part.text);
    if (name?.[1] === argument) return trimmed(text, part.offset + name[0].length, part.offset + part.text.length);
  }
  return undefined;
}

/** Returns the place of a marker's value or argument, that of the whole marker when it cannot be determined. */
export function placeOfArgument({ text, location }: MarkerComment, argument?: string): SourceLocation {
  const span = findArgument(text, argument);
  if (span === undefined || span.length === 0) return location;
  return { ...location, column: location.column + span.offset, length: span.length };
}

/** Finds an entry of a list argument; the whole argument when the entry is not there as it is. */
export function placeOfEntry(comment: MarkerComment, argument: string, entry: string): SourceLocation {
  const span = findArgument(comment.text, argument);
  if (span === undefined) return comment.location;
  const value = comment.text.slice(span.offset, span.offset + span.length);
  const at = entry === "" ? -1 : value.indexOf(entry);
  if (at === -1) return placeOfArgument(comment, argument);
  return { ...comment.location, column: comment.location.column + span.offset + at, length: entry.length };
}

interface ArgumentText {
  readonly text: string;
  readonly offset: number;
}

// Commas separate arguments, but not inside quotes or braces.
function splitArguments(text: string, start: number): readonly ArgumentText[] {
  const parts: ArgumentText[] = [];
  let begin = start;
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const character = text[index] ?? "";
    if (character === '"' || character === "`" || character === "'") index = endOfQuote(text, index);
    else if (character === "{") depth += 1;
    else if (character === "}") depth -= 1;
    else if (character === "," && depth <= 0) {
      parts.push({ text: text.slice(begin, index), offset: begin });
      begin = index + 1;
    }
  }
  parts.push({ text: text.slice(begin), offset: begin });
  return parts;
}

function endOfQuote(text: string, start: number): number {
  const quote = text[start];
  // A quote inside a word, such as an apostrophe, opens nothing.
  if (!/[=,;{\s]/u.test(text[start - 1] ?? "=")) return start;
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\" && quote === '"') index += 1;
    else if (text[index] === quote) return index;
  }
  return start;
}

function trimmed(text: string, start: number, end: number): ArgumentSpan {
  const value = text.slice(start, end);
  return { offset: start + value.length - value.trimStart().length, length: value.trim().length };
}
