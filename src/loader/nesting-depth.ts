import { ts } from "ts-morph";

// What parses and reads types calls itself for each level; servers have trouble with schemas long before.
const MAX_DEPTH = 256;

/** Returns the offset of the first bracket that opens more levels than are read, or nothing. */
export function findTooDeep(text: string): number | undefined {
  if (!mayBeDeep(text)) return undefined;
  const { opening, closing } = brackets();
  const scanner = ts.createScanner(ts.ScriptTarget.ES2023, true, ts.LanguageVariant.Standard, text);
  let depth = 0;
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (opening.has(token)) depth += 1;
    else if (closing.has(token)) depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return scanner.getTokenStart();
  }
  return undefined;
}

function brackets(): Record<"opening" | "closing", ReadonlySet<ts.SyntaxKind>> {
  const { OpenBraceToken, OpenBracketToken, OpenParenToken } = ts.SyntaxKind;
  const { CloseBraceToken, CloseBracketToken, CloseParenToken } = ts.SyntaxKind;
  return {
    opening: new Set([OpenBraceToken, OpenBracketToken, OpenParenToken]),
    closing: new Set([CloseBraceToken, CloseBracketToken, CloseParenToken]),
  };
}

// Counting is much faster than scanning, and enough for nearly every source.
function mayBeDeep(text: string): boolean {
  let count = 0;
  for (let index = 0; index < text.length && count <= MAX_DEPTH; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x7b || code === 0x5b || code === 0x28) count += 1;
  }
  return count > MAX_DEPTH;
}
