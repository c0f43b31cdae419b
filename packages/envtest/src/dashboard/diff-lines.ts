import type { DiffLine } from "./protocol.ts";

const CONTEXT = 3;
// A longer edit script is shown as a replacement of the lines between the common ends.
const MOST_EDITS = 1000;

/** Returns the lines of two texts as a unified diff, with three lines around each change. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [left, right] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < Math.min(left.length, right.length) && left[start] === right[start]) start += 1;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const middle = edits(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return withGaps([...left.slice(0, start).map(same), ...middle, ...left.slice(left.length - end).map(same)]);
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

function same(text: string): DiffLine {
  return { kind: "same", text };
}

// Myers: the furthest reaching paths by the number of edits, then back along the shortest.
function edits(left: readonly string[], right: readonly string[]): readonly DiffLine[] {
  const removed = left.map((text): DiffLine => ({ kind: "removed", text }));
  const added = right.map((text): DiffLine => ({ kind: "added", text }));
  if (left.length === 0 || right.length === 0) return [...removed, ...added];
  const trace: ReadonlyMap<number, number>[] = [];
  const reach = new Map<number, number>([[1, 0]]);
  for (let depth = 0; depth <= Math.min(MOST_EDITS, left.length + right.length); depth += 1) {
    trace.push(new Map(reach));
    for (let diagonal = -depth; diagonal <= depth; diagonal += 2) {
      let x = isDown(reach, diagonal, depth) ? (reach.get(diagonal + 1) ?? 0) : (reach.get(diagonal - 1) ?? 0) + 1;
      while (x < left.length && x - diagonal < right.length && left[x] === right[x - diagonal]) x += 1;
      reach.set(diagonal, x);
      if (x >= left.length && x - diagonal >= right.length) return walkBack(left, right, trace);
    }
  }
  return [...removed, ...added];
}

function isDown(reach: ReadonlyMap<number, number>, diagonal: number, depth: number): boolean {
  if (diagonal === -depth) return true;
  return diagonal !== depth && (reach.get(diagonal - 1) ?? 0) < (reach.get(diagonal + 1) ?? 0);
}

function walkBack(
  left: readonly string[],
  right: readonly string[],
  trace: readonly ReadonlyMap<number, number>[],
): readonly DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [left.length, right.length];
  for (let depth = trace.length - 1; depth >= 0; depth -= 1) {
    const reach = trace[depth] as ReadonlyMap<number, number>;
    const diagonal = x - y;
    const from = isDown(reach, diagonal, depth) ? diagonal + 1 : diagonal - 1;
    const fromX = reach.get(from) ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push(same(left[x - 1] as string));
      x -= 1;
      y -= 1;
    }
    if (depth === 0) break;
    if (x === fromX) lines.push({ kind: "added", text: right[y - 1] as string });
    else lines.push({ kind: "removed", text: left[x - 1] as string });
    x = fromX;
    y = fromY;
  }
  return lines.toReversed();
}

function withGaps(lines: readonly DiffLine[]): readonly DiffLine[] {
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
