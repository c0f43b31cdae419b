import { comparable } from "./insertion-marker.ts";

/** Lines of a file, and what takes their place. */
export interface Replacement {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Puts lines in the place of others, with their indentation; returns nothing when those are not there one after the other. */
export function replaceLines(content: string, { before, after }: Replacement): string | undefined {
  const present = content.split(/\r?\n/u);
  const start = indexOfLines(content, before);
  if (start < 0) return undefined;
  const indent = /^\s*/u.exec(present[start] ?? "")?.[0] ?? "";
  const own = /^\s*/u.exec(before[0] ?? "")?.[0] ?? "";
  const inserted = after.map((line) =>
    line === "" ? "" : indent + (line.startsWith(own) ? line.slice(own.length) : line),
  );
  return present.toSpliced(start, before.length, ...inserted).join(content.includes("\r\n") ? "\r\n" : "\n");
}

/** Returns the number of the line, from 0, where lines stand one after the other, or -1. What formatters change does not count. */
export function indexOfLines(content: string, lines: readonly string[]): number {
  const wanted = lines.map((line) => comparable(line));
  const present = content.split(/\r?\n/u);
  if (wanted.length === 0) return -1;
  return present.findIndex((_, index) =>
    wanted.every((line, offset) => {
      const found = present[index + offset];
      return found !== undefined && comparable(found) === line;
    }),
  );
}
