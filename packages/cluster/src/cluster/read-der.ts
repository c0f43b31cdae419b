/** An element of DER. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
}

/** Thrown when bytes are not DER, or have another structure than is read. */
export class MalformedDerError extends Error {}

/** Reads consecutive elements of DER. Fails: {@link MalformedDerError}, also for encodings that BER allows and DER does not. */
export function derElements(bytes: Buffer): readonly DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const { start, length } = contentPlace(bytes, offset);
    if (start + length > bytes.length) throw new MalformedDerError("an element is cut off");
    elements.push({ tag: bytes[offset] ?? 0, content: bytes.subarray(start, start + length) });
    offset = start + length;
  }
  return elements;
}

function contentPlace(bytes: Buffer, offset: number): { readonly start: number; readonly length: number } {
  const [tag = 0x1f, first = 0x80] = bytes.subarray(offset);
  if ((tag & 0x1f) === 0x1f) throw new MalformedDerError("a tag has more than one byte");
  if (first < 0x80) return { start: offset + 2, length: first };
  const size = first & 0x7f;
  const start = offset + 2 + size;
  if (size === 0 || size > 4 || start > bytes.length) throw new MalformedDerError("a length is malformed");
  const length = bytes.readUIntBE(offset + 2, size);
  if (length < 0x80 || bytes[offset + 2] === 0) throw new MalformedDerError("a length is not minimal");
  return { start, length };
}

/** Reads the elements inside the only element, of a tag. */
export function childrenOf(bytes: Buffer, tag: number): readonly DerElement[] {
  const [element, ...rest] = derElements(bytes);
  if (element?.tag !== tag || rest.length > 0) throw new MalformedDerError("an element has another tag");
  return derElements(element.content);
}

/** Reads an object identifier, such as `2.5.4.3`. */
export function dottedIdentifier({ tag, content }: DerElement): string {
  if (tag !== 0x06 || content.length === 0 || (content.at(-1) ?? 0x80) >= 0x80) {
    throw new MalformedDerError("an object identifier is malformed");
  }
  const arcs: bigint[] = [];
  let arc = 0n;
  for (const byte of content) {
    if (arc === 0n && byte === 0x80) throw new MalformedDerError("an object identifier is not minimal");
    arc = arc * 128n + BigInt(byte & 0x7f);
    if (arc > 0x7f_ff_ff_ffn) throw new MalformedDerError("an object identifier is too large");
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0n;
  }
  const [joined = 0n, ...rest] = arcs;
  const first = joined < 80n ? joined / 40n : 2n;
  return [first, joined - first * 40n, ...rest].join(".");
}

/**
 * Reads a text like Go. Returns undefined for an element of another type.
 *
 * Fails: {@link MalformedDerError} for a text whose characters its type does not allow.
 */
export function textOf({ tag, content }: DerElement): string | undefined {
  switch (tag) {
    case 0x0c:
      return utf8(content);
    case 0x12:
      return latin(content, NUMERIC);
    case 0x13:
      return latin(content, PRINTABLE);
    case 0x14:
      return content.toString("latin1");
    case 0x16:
      return latin(content, ASCII);
    case 0x1e:
      return utf16(content);
    default:
      return undefined;
  }
}

const NUMERIC = /^[0-9 ]*$/u;
// Asterisks and ampersands are in use, though the type excludes them.
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?*&]*$/u;
/** Matches texts of ASCII characters. */
export const ASCII: RegExp = /^\p{ASCII}*$/u;

function latin(content: Buffer, allowed: RegExp): string {
  const text = content.toString("latin1");
  if (!allowed.test(text)) throw new MalformedDerError("a text has characters that its type excludes");
  return text;
}

function utf8(content: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new MalformedDerError("a text is not UTF-8");
  }
}

const RESERVED = /[\p{Surrogate}\u{fdd0}-\u{fdef}\u{fffe}\u{ffff}]/u;

function utf16(content: Buffer): string {
  if (content.length % 2 !== 0) throw new MalformedDerError("a text is not UCS-2");
  const text = Buffer.from(content).swap16().toString("utf16le");
  const ended = text.endsWith("\0") ? text.slice(0, -1) : text;
  if (RESERVED.test(ended) || /[\u{10000}-\u{10ffff}]/u.test(ended)) {
    throw new MalformedDerError("a text is not UCS-2");
  }
  return ended;
}
