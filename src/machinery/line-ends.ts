import { compareLines } from "./text-diff.ts";

const [LF, CRLF] = ["\n", "\r\n"];

/** Returns a text with the line ends that commands work with, whatever it has. */
export function withLineFeeds(text: string): string {
  return text.includes(CRLF) ? text.replaceAll(CRLF, LF) : text;
}

/**
 * Returns a text with the line ends of the one whose place it takes.
 *
 * Guarantees: a line that both have ends as it did; where the ends are mixed, a new line ends like the one before it.
 */
export function withLineEndsOf(previous: string, text: string): string {
  if (!previous.includes(CRLF)) return text;
  const lines = withLineFeeds(text).split(LF);
  return isMixed(previous) ? joinMixed(previous, lines) : lines.join(CRLF);
}

function isMixed(text: string): boolean {
  return /(?:^|[^\r])\n/u.test(text);
}

function joinMixed(previous: string, lines: readonly string[]): string {
  const ends = [...previous.matchAll(/\r?\n/gu)].map(([end]) => end);
  let [at, last, result] = [0, ends[0] ?? LF, ""];
  const rows = compareLines(withLineFeeds(previous).split(LF), lines);
  const left = lines.length - 1;
  let written = 0;
  for (const { sign, text } of rows) {
    if (sign !== "+") {
      last = ends[at] ?? last;
      at += 1;
    }
    if (sign === "-") continue;
    result += written < left ? text + last : text;
    written += 1;
  }
  return result;
}
