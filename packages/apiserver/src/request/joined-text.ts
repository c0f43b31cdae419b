/** What a text consists of. */
interface TextParts {
  readonly open: string;
  readonly items?: readonly string[];
  /** ASCII. */
  readonly separator?: string;
  readonly close?: string;
  /** Counts the bytes of all items in UTF-8, if that costs less than reading them. */
  readonly countItemBytes?: () => number;
}

const encoder = new TextEncoder();

/** A long text, such as a list of objects, which is sent in pieces and need not exist as a whole. */
export class JoinedText {
  readonly #parts: Required<TextParts>;

  constructor({ open, items = [], separator = "", close = "", countItemBytes = () => bytesOf(items) }: TextParts) {
    this.#parts = { open, items, separator, close, countItemBytes };
  }

  /** The number of bytes in UTF-8. */
  get byteLength(): number {
    const { open, items, separator, close, countItemBytes } = this.#parts;
    return bytesOf([open, close]) + countItemBytes() + separator.length * Math.max(items.length - 1, 0);
  }

  toString(): string {
    const { open, items, separator, close } = this.#parts;
    return `${open}${items.join(separator)}${close}`;
  }

  /** Encodes the text to UTF-8, and yields the buffer whenever it is full; the next piece overwrites it. */
  *pieces(buffer: Buffer): Generator<Buffer> {
    let used = 0;
    for (const text of this.#texts()) {
      for (let at = 0; at < text.length;) {
        const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), buffer.subarray(used));
        at += read;
        used += written;
        if (at < text.length) {
          yield buffer.subarray(0, used);
          used = 0;
        }
      }
    }
    if (used > 0) yield buffer.subarray(0, used);
  }

  *#texts(): Generator<string> {
    const { open, items, separator, close } = this.#parts;
    yield open;
    for (let index = 0; index < items.length; index += 1) {
      if (index > 0) yield separator;
      yield items[index] as string;
    }
    yield close;
  }
}

/** Returns the text of a body that is one. */
export function wholeText(body: unknown): string | undefined {
  return typeof body === "string" ? body : body instanceof JoinedText ? String(body) : undefined;
}

function bytesOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
