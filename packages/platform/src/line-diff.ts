/** A line of two texts: of both, of the second only, or of the first only. */
export interface ComparedLine {
  /** Whether the line is in both texts, in the second one only, or in the first one only. */
  readonly kind: "same" | "added" | "removed";
  /** The line, without a line break. */
  readonly text: string;
}

/** A line of a diff. */
export interface DiffLine {
  /** Whether the line is in both versions, was added or removed, or stands for lines that are left out. */
  readonly kind: ComparedLine["kind"] | "gap";
  /** The line, without a line break. */
  readonly text: string;
}

const CONTEXT = 3;
// What differs by more is a replacement of the lines between the common ends.
const MOST_EDITS = 2000;

/** Returns the lines of two texts as a unified diff, with three lines around each change. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  return withGaps(compareLines(linesOf(before), linesOf(after)));
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function withGaps(lines: readonly ComparedLine[]): readonly DiffLine[] {
  const shown = new Set<number>();
  lines.forEach(({ kind }, index) => {
    if (kind === "same") return;
    for (let near = index - CONTEXT; near <= index + CONTEXT; near += 1) shown.add(near);
  });
  return lines.flatMap((line, index): readonly DiffLine[] => {
    if (shown.has(index)) return [line];
    return index > 0 && !shown.has(index - 1) ? [] : [{ kind: "gap", text: "" }];
  });
}

/**
 * Lines two texts up, line by line, with the fewest edits; of equally few, those that remove lines before they add some.
 *
 * Guarantees: the time and memory for texts that differ in thousands of lines have a bound; such texts have few lines in common in the result.
 */
export function compareLines(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < before.length - start && end < after.length - start && before.at(-1 - end) === after.at(-1 - end))
    end += 1;
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ];
}

function same(text: string): ComparedLine {
  return { kind: "same", text };
}

function compareMiddle(before: readonly string[], after: readonly string[]): readonly ComparedLine[] {
  const reaches = before.length === 0 || after.length === 0 ? undefined : reachesOf(before, after);
  if (reaches !== undefined) return walk(before, after, reaches);
  return [
    ...before.map((text): ComparedLine => ({ kind: "removed", text })),
    ...after.map((text): ComparedLine => ({ kind: "added", text })),
  ];
}

/** For each number of edits, the first line on each diagonal from which that many lead to the end of both texts. */
type Reaches = readonly Int32Array[];

// Myers, from the end of the texts to their start. Returns nothing when they differ by too many edits.
function reachesOf(before: readonly string[], after: readonly string[]): Reaches | undefined {
  const last = before.length - after.length;
  const reaches: Int32Array[] = [];
  const most = Math.min(MOST_EDITS, before.length + after.length);
  for (let edits = 0; edits <= most; edits += 1) {
    const reach = new Int32Array(2 * edits + 1);
    for (let index = 0; index < reach.length; index += 1) {
      const diagonal = last - edits + index;
      let line = index % 2 === 0 ? reachAt(reaches, { edits, index, diagonal, end: before.length }) : UNREACHED;
      while (line > 0 && line > diagonal && line !== UNREACHED && before[line - 1] === after[line - diagonal - 1])
        line -= 1;
      reach[index] = line;
    }
    reaches.push(reach);
    if (Math.abs(last) <= edits && reach[edits - last] === 0) return reaches;
  }
  return undefined;
}

const UNREACHED = 2 ** 31 - 1;

function reachAt(
  reaches: Reaches,
  { edits, index, diagonal, end }: Record<"edits" | "index" | "diagonal" | "end", number>,
): number {
  if (edits === 0) return end;
  const fewer = reaches[edits - 1] as Int32Array;
  const removed = fewer[index] ?? UNREACHED;
  const added = fewer[index - 2] ?? UNREACHED;
  // What is reached with two edits less, where there is no line before it that could be removed or added.
  const known = reaches[edits - 2]?.[index - 2] ?? UNREACHED;
  return Math.min(
    known,
    removed !== UNREACHED && removed > 0 && removed > diagonal ? removed - 1 : UNREACHED,
    added !== UNREACHED && added >= diagonal && added >= 0 ? added : UNREACHED,
  );
}

function walk(before: readonly string[], after: readonly string[], reaches: Reaches): readonly ComparedLine[] {
  const last = before.length - after.length;
  const lines: ComparedLine[] = [];
  let [left, right, edits] = [0, 0, reaches.length - 1];
  while (left < before.length || right < after.length) {
    const [old, next] = [before[left], after[right]];
    if (old !== undefined && old === next) {
      lines.push(same(old));
      left += 1;
      right += 1;
      continue;
    }
    edits -= 1;
    // The diagonal of the place after the old line is removed.
    const reach = reaches[edits]?.[left + 1 - right - (last - edits)] ?? UNREACHED;
    if (old !== undefined && reach <= left + 1) {
      lines.push({ kind: "removed", text: old });
      left += 1;
    } else {
      lines.push({ kind: "added", text: next as string });
      right += 1;
    }
  }
  return lines;
}
