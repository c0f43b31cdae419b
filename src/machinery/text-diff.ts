const CONTEXT = 3;

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

/** A line of two texts: of both, of the first only, or of the second only. */
export interface Row {
  readonly sign: " " | "+" | "-";
  readonly text: string;
}

function linesOf(text: string | undefined): readonly string[] {
  if (text === undefined || text === "") return [];
  return text.replace(/\n$/u, "").split("\n");
}

/** Lines two texts up, line by line. */
export function compareLines(before: readonly string[], after: readonly string[]): readonly Row[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  const same = (text: string): Row => ({ sign: " ", text });
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

// The longest common subsequence by its table: what differs between two versions of a scaffolded file is short.
function compareMiddle(before: readonly string[], after: readonly string[]): readonly Row[] {
  const lengths = commonLengths(before, after);
  const rows: Row[] = [];
  let [left, right] = [0, 0];
  while (left < before.length || right < after.length) {
    const [old, next] = [before[left], after[right]];
    if (old !== undefined && next !== undefined && old === next) {
      rows.push({ sign: " ", text: old });
      left += 1;
      right += 1;
    } else if (
      old !== undefined &&
      (next === undefined || (lengths[left + 1]?.[right] ?? 0) >= (lengths[left]?.[right + 1] ?? 0))
    ) {
      rows.push({ sign: "-", text: old });
      left += 1;
    } else {
      rows.push({ sign: "+", text: next ?? "" });
      right += 1;
    }
  }
  return rows;
}

function commonLengths(before: readonly string[], after: readonly string[]): readonly (readonly number[])[] {
  const table = Array.from({ length: before.length + 1 }, () => Array.from({ length: after.length + 1 }, () => 0));
  for (let left = before.length - 1; left >= 0; left -= 1) {
    const row = table[left] ?? [];
    const below = table[left + 1] ?? [];
    for (let right = after.length - 1; right >= 0; right -= 1) {
      row[right] =
        before[left] === after[right] ? (below[right + 1] ?? 0) + 1 : Math.max(below[right] ?? 0, row[right + 1] ?? 0);
    }
  }
  return table;
}

function hunksOf(rows: readonly Row[]): readonly string[] {
  const lines: string[] = [];
  let [oldLine, newLine, index] = [1, 1, 0];
  while (index < rows.length) {
    const end = hunkEnd(rows, index);
    const hunk = rows.slice(index, end);
    if (hunk.some((row) => row.sign !== " "))
      lines.push(headOf(hunk, oldLine, newLine), ...hunk.map(({ sign, text }) => sign + text));
    oldLine += hunk.filter((row) => row.sign !== "+").length;
    newLine += hunk.filter((row) => row.sign !== "-").length;
    index = end;
  }
  return lines;
}

// A stretch ends where a hunk begins or ends: three unchanged lines away from a change.
function hunkEnd(rows: readonly Row[], start: number): number {
  const near = (index: number): boolean =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some((row) => row.sign !== " ");
  const isNear = near(start);
  let end = start + 1;
  while (end < rows.length && near(end) === isNear) end += 1;
  return end;
}

function headOf(hunk: readonly Row[], oldLine: number, newLine: number): string {
  const oldCount = hunk.filter((row) => row.sign !== "+").length;
  const newCount = hunk.filter((row) => row.sign !== "-").length;
  return `@@ -${range(oldLine, oldCount)} +${range(newLine, newCount)} @@`;
}

function range(line: number, count: number): string {
  return `${count === 0 ? line - 1 : line},${count}`;
}
