import { describeDocLines } from "../loader/description.ts";
import { blockComment, isWritable, lineComment } from "../typescript/literals.ts";

/** Reports whether a comment with this text gives exactly this description when it is read. */
export function isReadable(description: string): boolean {
  if (description.includes("*\\/") || !isWritable(description)) return false;
  return describeDocLines(linesOf(description)) === description;
}

/** Writes a JSDoc block, or nothing when there is nothing to say. */
export function commentLines(description: string, markers: readonly string[], indent: string): readonly string[] {
  const text = description.trim() === "" ? [] : linesOf(isReadable(description) ? description : tamed(description));
  const lines = [...text, ...markers.map((marker) => ` ${marker}`)].map((line) => blockComment(line));
  const [only, ...others] = lines;
  if (only === undefined) return [];
  if (others.length === 0 && only.length < WIDTH) return [`${indent}/**${only} */`];
  return [`${indent}/**`, ...lines.map((line) => `${indent} *${line}`), `${indent} */`];
}

const WIDTH = 110;

function linesOf(text: string): readonly string[] {
  return text.split("\n").map((line) => (line === "" ? "" : ` ${line}`));
}

// For people only: lines that would be read as markers or tags are escaped, the end of a comment as everywhere.
function tamed(text: string): string {
  return text
    .replaceAll("*\\/", "*/")
    .split(/\r\n|\r|\n/u)
    .map((line) =>
      lineComment(line)
        .trimEnd()
        .replace(/^(?<blank>\s*)(?<sign>[+@])/u, "$<blank>\\$<sign>"),
    )
    .join("\n")
    .trim();
}
