import { readSource } from "../../architecture/source-files.ts";

/** A block of a page that shows a part of a file: its fence is "```ts [examples/…]". */
export interface Excerpt {
  readonly page: string;
  readonly file: string;
  readonly code: string;
}

/** Returns the excerpts of a page. */
export function excerptsOf(page: string): readonly Excerpt[] {
  const found = readSource(page).matchAll(/^```\w+ \[(?<file>examples\/[^\]]+)\]\n(?<code>[\s\S]*?)^```$/gmu);
  return [...found].map(({ groups = {} }) => ({ page, file: groups["file"] ?? "", code: groups["code"] ?? "" }));
}

/**
 * Returns the first part of an excerpt that its file does not contain after the parts before it; undefined if it contains all of them. Lines with an
 * ellipsis separate the parts, and indentation and empty lines do not count.
 */
export function findForeignPart({ file, code }: Excerpt): string | undefined {
  const text = linesOf(readSource(file)).join("\n");
  let position = 0;
  for (const part of linesOf(code).join("\n").split(GAP)) {
    const start = text.indexOf(part, position);
    if (start === -1) return part;
    position = start + part.length;
  }
  return undefined;
}

const GAP = /(?:^|\n)(?:\/\/|#) …(?:\n|$)/u;

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
