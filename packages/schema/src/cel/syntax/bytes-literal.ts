const SIMPLE_ESCAPES: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11 };

/** Reads the bytes of a literal, its prefix and quotes included; a text stands for its UTF-8, an escape for one byte. */
export function decodeBytesLiteral(literal: string): Uint8Array {
  const { prefix = "", quote = "" } = /^(?<prefix>[bBrR]+)(?<quote>"""|'''|"|')/.exec(literal)?.groups ?? {};
  const body = literal.slice(prefix.length + quote.length, literal.length - quote.length);
  if (/r/i.test(prefix)) return new TextEncoder().encode(body);
  const bytes: number[] = [];
  for (const [part] of body.matchAll(/\\(?:[xX][0-9a-fA-F]{2}|[0-7]{3}|[^])|[^\\]+/g)) {
    if (part.startsWith("\\")) bytes.push(escapedByte(part.slice(1)));
    else bytes.push(...new TextEncoder().encode(part));
  }
  return Uint8Array.from(bytes);
}

function escapedByte(escape: string): number {
  if (/^[xX]/.test(escape)) return Number.parseInt(escape.slice(1), 16);
  if (/^[0-7]/.test(escape)) return Number.parseInt(escape, 8);
  return SIMPLE_ESCAPES[escape] ?? escape.charCodeAt(0);
}
