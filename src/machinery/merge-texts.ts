import { isDeepStrictEqual } from "node:util";

import { compareLines } from "@kubescaffold/platform";

/**
 * Puts what changed on the right into what is on the left; returns nothing where both changed the same lines, or lines next to each other, differently.
 *
 * Guarantees: the line ends of the left side stay; a change that both sides made is there once.
 */
export function mergeTexts(base: string, left: string, right: string): string | undefined {
  const isCrlf = left.includes("\r\n");
  const [old, mine, theirs] = [base, left, right].map((text) => text.replaceAll("\r\n", "\n").split("\n"));
  const [own, wanted] = [changesOf(old ?? [], mine ?? []), changesOf(old ?? [], theirs ?? [])];
  const open = wanted.filter((change) => !own.some((each) => isSame(each, change)));
  if (open.some((change) => own.some((each) => touches(each, change)))) return undefined;
  const lines = [...own, ...open]
    .toSorted((one, other) => other.start - one.start)
    .reduce((text, { start, end, lines: next }) => text.toSpliced(start, end - start, ...next), old ?? []);
  return lines.join(isCrlf ? "\r\n" : "\n");
}

/** Lines of a text, from `start` to before `end`, and what takes their place. */
interface Change {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

function changesOf(before: readonly string[], after: readonly string[]): readonly Change[] {
  const changes: Change[] = [];
  let [at, open] = [0, undefined as Change | undefined];
  for (const { kind, text } of compareLines(before, after)) {
    if (kind === "same") {
      if (open !== undefined) changes.push(open);
      open = undefined;
    } else {
      const { start, lines } = open ?? { start: at, lines: [] };
      open = { start, end: kind === "removed" ? at + 1 : at, lines: kind === "added" ? [...lines, text] : lines };
    }
    if (kind !== "added") at += 1;
  }
  return open === undefined ? changes : [...changes, open];
}

function isSame(one: Change, other: Change): boolean {
  return isDeepStrictEqual(one, other);
}

function touches(one: Change, other: Change): boolean {
  return one.start <= other.end && other.start <= one.end;
}
