import { InsertionPointMissingError } from "./errors.ts";

/** A block of lines that is in a file as comments and is to be switched on, or is on and is to be switched off. */
export interface CommentedBlock {
  readonly path: string;
  readonly lines: readonly string[];
}

/**
 * Takes the comment signs from a block of lines.
 *
 * The block is found whatever its indentation, and whatever trailing comments its lines have got. Guarantees: a block that is on already stays as it is.
 * Fails: {@link InsertionPointMissingError} that says which lines belong into the file.
 */
export function enableBlock(content: string, block: CommentedBlock): string {
  const wanted = block.lines.filter((line) => line.trim() !== "");
  const lines = content.split(/\r?\n/u);
  if (findBlock(lines, wanted, stripNothing) >= 0) return content;
  const start = findBlock(lines, wanted, stripComment);
  if (start < 0) {
    throw new InsertionPointMissingError({
      path: block.path,
      what: `the block \`${wanted[0]?.trim() ?? ""}\``,
      lines: wanted,
    });
  }
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  return replaceBlock(lines, start, wanted).join(lineEnd);
}

/**
 * Puts comment signs before a block of lines that is on; returns nothing when it is not there.
 *
 * Guarantees: {@link enableBlock} makes of the result what was there before.
 */
export function disableBlock(content: string, block: CommentedBlock): string | undefined {
  const wanted = block.lines.filter((line) => line.trim() !== "");
  const lines = content.split(/\r?\n/u);
  const start = findBlock(lines, wanted, stripNothing);
  if (start < 0) return undefined;
  const result = [...lines];
  let left = wanted.length;
  for (let at = start; left > 0; at += 1) {
    if (isBlank(result[at])) continue;
    result[at] = `#${result[at] ?? ""}`;
    left -= 1;
  }
  return result.join(content.includes("\r\n") ? "\r\n" : "\n");
}

function findBlock(
  lines: readonly string[],
  wanted: readonly string[],
  strip: (line: string) => string | undefined,
): number {
  return lines.findIndex((_, start) => {
    let at = start;
    for (const line of wanted) {
      while (at > start && isBlank(lines[at])) at += 1;
      if (!matches(lines[at], line, strip)) return false;
      at += 1;
    }
    return true;
  });
}

function matches(line: string | undefined, wanted: string, strip: (line: string) => string | undefined): boolean {
  const text = line === undefined ? undefined : strip(line);
  return text !== undefined && bare(text) === bare(wanted);
}

// White space and a trailing comment carry no meaning here.
function bare(text: string): string {
  return text
    .replace(/\s#.*$/su, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function stripNothing(line: string): string | undefined {
  return /^\s*#/u.test(line) ? undefined : line;
}

function stripComment(line: string): string | undefined {
  return /^\s*#(?<text>.*)$/u.exec(line)?.groups?.["text"];
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && ["", "#"].includes(line.trim());
}

function replaceBlock(lines: readonly string[], start: number, wanted: readonly string[]): readonly string[] {
  const result = [...lines];
  let at = start;
  for (const line of wanted) {
    while (isBlank(result[at])) at += 1;
    const trailing = /\s(?<comment>#.*)$/su.exec(stripComment(result[at] ?? "") ?? "")?.groups?.["comment"];
    const keepsComment = trailing !== undefined && !line.includes(trailing);
    result[at] = keepsComment ? `${line} ${trailing}` : line;
    at += 1;
  }
  return result;
}
