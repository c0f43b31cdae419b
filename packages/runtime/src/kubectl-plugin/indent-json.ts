const INDENT = "    ";

// A text, or one of the characters that structure JSON.
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^{}[\],:"]+/gu;

/**
 * Indents compact JSON by four spaces, as kubectl prints it; empty objects and lists stay on their line.
 *
 * Go: encoding/json.Indent
 */
export function indentJson(compact: string): string {
  const tokens = compact.match(TOKENS) ?? [];
  const parts: string[] = [];
  let level = 0;
  const lineAt = (depth: number): string => `\n${INDENT.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const isOpening = token === "{" || token === "[";
    const isClosing = token === "}" || token === "]";
    const isEmpty = isClosing && ["{", "["].includes(tokens[index - 1] ?? "");
    const opensEmpty = isOpening && ["}", "]"].includes(tokens[index + 1] ?? "");
    if (isClosing) level -= 1;
    if (isClosing && !isEmpty) parts.push(lineAt(level));
    parts.push(token === ":" ? ": " : token);
    if (isOpening) level += 1;
    if ((isOpening && !opensEmpty) || token === ",") parts.push(lineAt(level));
  }
  return parts.join("");
}
