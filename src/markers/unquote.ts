const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, '"': 34 };
const ESCAPE = /\\(?:([abfnrtv\\"])|([0-7]{3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/gu;

/**
 * Returns what a quoted token of Go stands for: `"…"` with escapes, `` `…` `` as it is.
 *
 * Guarantees: escapes of single bytes that together are UTF-8 make one character; bytes that are not become U+FFFD.
 */
export function unquote(token: string): string {
  const body = token.slice(1, -1);
  if (token.startsWith("`")) return body.replaceAll("\r", "");
  if (!body.includes("\\")) return body;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytesOf(body)));
}

function* bytesOf(body: string): Iterable<number> {
  const encoder = new TextEncoder();
  let position = 0;
  for (const match of body.matchAll(ESCAPE)) {
    yield* encoder.encode(body.slice(position, match.index));
    yield* bytesOfEscape(match);
    position = match.index + match[0].length;
  }
  yield* encoder.encode(body.slice(position));
}

function bytesOfEscape(match: RegExpExecArray): Iterable<number> {
  const [, simple, octal, hex, short, long] = match;
  if (simple !== undefined) return [SIMPLE[simple] ?? 0];
  if (octal !== undefined) return [Number.parseInt(octal, 8) & 255];
  if (hex !== undefined) return [Number.parseInt(hex, 16)];
  const codePoint = Number.parseInt(short ?? long ?? "fffd", 16);
  const isCharacter = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return new TextEncoder().encode(String.fromCodePoint(isCharacter ? codePoint : 0xfffd));
}
