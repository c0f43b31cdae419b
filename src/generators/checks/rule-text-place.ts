import type { MarkerComment, SourceLocation } from "../../loader/type-model.ts";
import { findArgument } from "./marker-argument.ts";

/** A place in the value of a marker's argument; line and column count characters from 1. */
export interface TextPlace {
  readonly argument: string;
  readonly value: string;
  readonly line: number;
  readonly column: number;
}

/** Finds where a character of an argument's value is written, quotes and escapes counted; undefined when that cannot be told. */
export function placeInArgument(
  comment: MarkerComment,
  { argument, value, line, column }: TextPlace,
): SourceLocation | undefined {
  const span = findArgument(comment.text, argument);
  if (span === undefined) return undefined;
  const written = comment.text.slice(span.offset, span.offset + span.length);
  const index = indexOf(value, line, column);
  const offsets = writtenOffsets(written);
  const start = offsets[index];
  if (start === undefined) return undefined;
  const word = /^(?:[\p{L}\p{N}_]+|[=!<>&|]+)/u.exec(value.slice(index))?.[0].length ?? 1;
  const end = offsets[index + word] ?? start + 1;
  return {
    ...comment.location,
    column: comment.location.column + span.offset + start,
    length: Math.max(1, end - start),
  };
}

// Columns count code points, offsets count UTF-16 units.
function indexOf(value: string, line: number, column: number): number {
  const lines = value.split("\n");
  const before = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  const inLine = Array.from(lines[line - 1] ?? "")
    .slice(0, column - 1)
    .join("").length;
  return before + inLine;
}

const ESCAPE = /^\\(?:[abfnrtv\\"]|[0-7]{3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/u;

// Returns where each unit of a value is written, and where the value ends.
function writtenOffsets(written: string): readonly number[] {
  const isQuoted = written.startsWith('"');
  const start = isQuoted || written.startsWith("`") ? 1 : 0;
  const end = start === 1 ? written.length - 1 : written.length;
  const offsets: number[] = [];
  for (let index = start; index < end;) {
    const escape = isQuoted ? ESCAPE.exec(written.slice(index))?.[0] : undefined;
    offsets.push(index);
    index += escape?.length ?? 1;
  }
  return [...offsets, end];
}
