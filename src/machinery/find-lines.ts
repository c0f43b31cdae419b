/** Where lines are in a text: the number of the first, from 0, and of the one after the last. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds where lines are in a text one after the other, in each of the places.
 *
 * What formatters change does not count: indentation, quotes, commas and semicolons at line ends, and for code the line breaks too.
 */
export function findLines(present: readonly string[], lines: readonly string[]): readonly LineRange[] {
  const wanted = lines.map((line) => comparable(line));
  if (wanted.length === 0) return [];
  const exact = present.flatMap((_, start) =>
    wanted.every((line, offset) => {
      const found = present[start + offset];
      return found !== undefined && comparable(found) === line;
    })
      ? [{ start, end: start + wanted.length }]
      : [],
  );
  return exact.length > 0 || !isCode(wanted) ? exact : findBroken(present, squeezed(wanted));
}

/** Reports whether lines are code, which formatters break and join; entries of a list, which have no brackets, would be found inside longer ones. */
export function isCode(lines: readonly string[]): boolean {
  return /[({]/u.test(lines.join(""));
}

/** Returns a line without what formatters change: indentation, kind of quotes, and the sign at its end. */
export function comparable(line: string): string {
  return line.trim().replaceAll(/["'`]/gu, '"').replaceAll(/\s+/gu, " ").replace(/[;,]$/u, "");
}

/** Returns lines as one text without white space, commas and semicolons. */
export function squeezed(lines: readonly string[]): string {
  return lines
    .map((line) => comparable(line))
    .join("")
    .replaceAll(/[\s;,]/gu, "");
}

function findBroken(present: readonly string[], wanted: string): readonly LineRange[] {
  const parts = present.map((line) => squeezed([line]));
  return parts.flatMap((part, start) => {
    if (part === "" || !wanted.startsWith(part)) return [];
    let text = "";
    let end = start;
    while (end < parts.length && text.length < wanted.length && wanted.startsWith(text)) {
      text += parts[end] ?? "";
      end += 1;
    }
    return text === wanted ? [{ start, end }] : [];
  });
}
