import { comparable, isMarker } from "./insertion-marker.ts";

/** Lines that stand in a file above or below an insertion marker and are to be taken out. */
interface Removal {
  readonly marker: string;
  readonly lines: readonly string[];
}

/**
 * Takes out lines that were inserted at a marker, and returns the text without them; nothing when they are not there as they were inserted.
 *
 * Indentation, quotes, trailing commas and semicolons do not count. Of several such groups the one nearest to the marker goes.
 */
export function removeLines(content: string, { marker, lines }: Removal): string | undefined {
  const wanted = lines.map((line) => comparable(line));
  const present = content.split(/\r?\n/u);
  const starts = present.flatMap((_, start) => (isAt(present, start, wanted) ? [start] : []));
  if (starts.length === 0) return undefined;
  const at = Math.max(
    0,
    present.findIndex((line) => isMarker(line, marker)),
  );
  const [start = 0] = starts.toSorted((left, right) => Math.abs(left - at) - Math.abs(right - at));
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  return present.toSpliced(start, wanted.length).join(lineEnd);
}

function isAt(present: readonly string[], start: number, wanted: readonly string[]): boolean {
  return wanted.every((line, offset) => {
    const found = present[start + offset];
    return found !== undefined && comparable(found) === line;
  });
}
