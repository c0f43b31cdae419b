import { compareLines, type ComparedLine } from "@kubescaffold/platform";

const CONTEXT = 3;
const SIGNS: Readonly<Record<ComparedLine["kind"], string>> = { same: " ", added: "+", removed: "-" };

/** Returns the difference of two texts in unified form, without a trailing line break; empty when they are equal. */
export function textDiff(change: {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}): string {
  const { path, before, after } = change;
  if (before === after) return "";
  const rows = compareLines(linesOf(before), linesOf(after));
  const head = [
    `--- ${before === undefined ? "/dev/null" : `a/${path}`}`,
    `+++ ${after === undefined ? "/dev/null" : `b/${path}`}`,
  ];
  return [...head, ...hunksOf(rows)].join("\n");
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  return text.replace(/\n$/u, "").split("\n");
}

function hunksOf(rows: readonly ComparedLine[]): readonly string[] {
  const lines: string[] = [];
  let [oldLine, newLine, index] = [1, 1, 0];
  while (index < rows.length) {
    const end = hunkEnd(rows, index);
    const hunk = rows.slice(index, end);
    if (hunk.some((row) => row.kind !== "same"))
      lines.push(headOf(hunk, oldLine, newLine), ...hunk.map(({ kind, text }) => SIGNS[kind] + text));
    oldLine += hunk.filter((row) => row.kind !== "added").length;
    newLine += hunk.filter((row) => row.kind !== "removed").length;
    index = end;
  }
  return lines;
}

// A stretch ends where a hunk begins or ends: three unchanged lines away from a change.
function hunkEnd(rows: readonly ComparedLine[], start: number): number {
  const near = (index: number): boolean =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((row) => row.kind !== "same");
  const isNear = near(start);
  let end = start + 1;
  while (end < rows.length && near(end) === isNear) end += 1;
  return end;
}

function headOf(hunk: readonly ComparedLine[], oldLine: number, newLine: number): string {
  const oldCount = hunk.filter((row) => row.kind !== "added").length;
  const newCount = hunk.filter((row) => row.kind !== "removed").length;
  return `@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`;
}

function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}
