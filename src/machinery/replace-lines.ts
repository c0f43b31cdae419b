import { breakLongLine } from "./break-lines.ts";
import { findLines } from "./insertion-points.ts";

/** Puts lines in the place of others, with their indentation; returns nothing when those are not there one after the other. */
export function replaceLines(
  content: string,
  path: string,
  before: readonly string[],
  after: readonly string[],
): string | undefined {
  const present = content.split(/\r?\n/u);
  const [found] = findLines(present, before);
  if (found === undefined) return undefined;
  const { start, end } = found;
  const indent = /^\s*/u.exec(present[start] ?? "")?.[0] ?? "";
  const own = /^\s*/u.exec(before[0] ?? "")?.[0] ?? "";
  const indented = after.map((line) =>
    line === "" ? "" : indent + (line.startsWith(own) ? line.slice(own.length) : line),
  );
  const inserted = path.endsWith(".ts") ? indented.flatMap((line) => breakLongLine(line)) : indented;
  return present.toSpliced(start, end - start, ...inserted).join(content.includes("\r\n") ? "\r\n" : "\n");
}

/** Returns the number of the line, from 0, where lines stand one after the other, or -1. What formatters change does not count. */
export function indexOfLines(content: string, lines: readonly string[]): number {
  return findLines(content.split(/\r?\n/u), lines)[0]?.start ?? -1;
}
