import { comparable } from "./insertion-marker.ts";

/** Lines of a file, and what takes their place. */
export interface Replacement {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** Puts lines in the place of others, with their indentation; returns nothing when those are not there one after the other. */
export function replaceLines(content: string, { before, after }: Replacement): string | undefined {
  const wanted = before.map((line) => comparable(line));
  const present = content.split(/\r?\n/u);
  const start = present.findIndex((_, index) =>
    wanted.every((line, offset) => {
      const found = present[index + offset];
      return found !== undefined && comparable(found) === line;
    }),
  );
  if (start < 0 || wanted.length === 0) return undefined;
  const indent = /^\s*/u.exec(present[start] ?? "")?.[0] ?? "";
  const own = /^\s*/u.exec(before[0] ?? "")?.[0] ?? "";
  const inserted = after.map((line) =>
    line === "" ? "" : indent + (line.startsWith(own) ? line.slice(own.length) : line),
  );
  return present.toSpliced(start, wanted.length, ...inserted).join(content.includes("\r\n") ? "\r\n" : "\n");
}
