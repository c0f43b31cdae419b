import type { LogLine } from "../feed/protocol.ts";

const MOST_LINES = 12;

/**
 * Returns the error that ended the manager: its last line of the level error, or what Node printed about an exception last; empty if it wrote neither.
 */
export function lastError(lines: readonly LogLine[]): string {
  const last = lines.findLastIndex(({ level }) => level === "error");
  const printed = lines.slice(last + 1).filter(({ level }) => level === "output");
  // Node prints the source, the error, and its stack, as lines that are not structured.
  const thrown = printed.findLastIndex(({ message }) => /^(?:Uncaught )?(?:\w+ )?\w*Error\b.*/u.test(message));
  if (thrown !== -1)
    return printed
      .slice(thrown, thrown + MOST_LINES)
      .map(({ message }) => message)
      .join("\n");
  const line = lines[last];
  if (line === undefined) return "";
  const { message, error, hint } = line;
  return [
    error === undefined ? message : `${message}: ${error}`,
    ...(hint === undefined ? [] : [`hint: ${hint}`]),
  ].join("\n");
}
