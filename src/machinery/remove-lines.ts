import { findLines } from "./find-lines.ts";
import { isMarker } from "./insertion-marker.ts";

/** Lines that stand in a file above or below an insertion marker and are to be taken out. */
interface Removal {
  readonly marker: string;
  readonly lines: readonly string[];
}

/**
 * Takes out lines that were inserted at a marker, and returns the text without them; nothing when they are not there as they were inserted.
 *
 * What formatters change does not count. Of several such groups the one nearest to the marker goes.
 */
export function removeLines(content: string, { marker, lines }: Removal): string | undefined {
  const present = content.split(/\r?\n/u);
  const ranges = findLines(present, lines);
  if (ranges.length === 0) return undefined;
  const at = Math.max(
    0,
    present.findIndex((line) => isMarker(line, marker)),
  );
  const [nearest] = ranges.toSorted((left, right) => Math.abs(left.start - at) - Math.abs(right.start - at));
  const { start, end } = nearest ?? { start: 0, end: 0 };
  return present.toSpliced(start, end - start).join(content.includes("\r\n") ? "\r\n" : "\n");
}
