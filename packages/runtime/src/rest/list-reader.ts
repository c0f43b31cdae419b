import { parseLosslessJson } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";
import { TurnShare } from "@kubescaffold/platform/clock";

import { decodePieces } from "./json-lines.ts";

/** The response to a list: its fields, the items read one by one. */
export type ReadList = Readonly<Record<string, unknown>>;

/**
 * Reads the JSON of a list while it arrives, item by item.
 *
 * Guarantees: the length of the list is not limited to that of a string, and timers and requests run in between.
 * Fails: with a `SyntaxError` if the text is not JSON, or not an object.
 */
export async function readList(
  chunks: AsyncIterable<Uint8Array>,
  readItem: (item: unknown) => unknown,
): Promise<ReadList | undefined> {
  const turns = TurnShare.ofTime();
  const scanner = new ListScanner();
  const items: unknown[] = [];
  for await (const chunk of chunks) {
    for (const text of scanner.scan(chunk)) {
      items.push(readItem(parseLosslessJson(text)));
      const pause = turns.step();
      if (pause !== undefined) {
        await pause;
      }
    }
  }
  const envelope = scanner.envelope();
  if (envelope.trim() === "") {
    return undefined;
  }
  const list = parseLosslessJson(envelope);
  if (!isRecord(list)) throw new SyntaxError("it is not an object");
  if (scanner.hasItems) return { ...list, items };
  // The key may be escaped.
  return Array.isArray(list["items"]) ? { ...list, items: list["items"].map(readItem) } : list;
}

/** Remembers the start of a body that is read piece by piece, for messages. */
export class StartOfBody {
  #start = Buffer.alloc(0);

  /** Passes the pieces on. */
  async *of(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of chunks) {
      const missing = LONGEST_START - this.#start.length;
      if (missing > 0) this.#start = Buffer.concat([this.#start, chunk.subarray(0, missing)]);
      yield chunk;
    }
  }

  /** Returns up to 1024 bytes as text. */
  text(): string {
    return this.#start.toString("utf8");
  }
}

const LONGEST_START = 1024;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const ITEMS_DEPTH = 2;
// Enough for the key and the spaces around it.
const LONGEST_KEY = 64;
const ITEMS_KEY = /[{,]\s*"items"\s*:\s*$/u;

/** Splits the bytes of a list into the texts of its items and the envelope around them. */
class ListScanner {
  readonly #envelope: string[] = [];
  #pending: Uint8Array[] = [];
  #depth = 0;
  #isInString = false;
  // The next byte belongs to an escape sequence of a string.
  #isEscaped = false;
  #isInItems = false;
  // A comma needs an item on both sides.
  #isItemNeeded = false;
  hasItems = false;

  /** The text without the items. */
  envelope(): string {
    return `${this.#envelope.join("")}${decodePieces(this.#pending)}`;
  }

  *scan(chunk: Uint8Array): Generator<string, void, undefined> {
    let start = 0;
    for (let index = 0; index < chunk.length; index += 1) {
      if (this.#isInString) {
        index = this.#skipString(chunk, index);
        continue;
      }
      const byte = chunk[index];
      if (byte === QUOTE) {
        this.#isInString = true;
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#depth += 1;
        if (byte === OPEN_BRACKET && this.#depth === ITEMS_DEPTH && !this.hasItems) {
          this.#openArray(chunk.subarray(start, index));
          start = index + 1;
        }
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth -= 1;
        if (this.#isInItems && this.#depth < ITEMS_DEPTH) {
          this.#isInItems = false;
          yield* this.#takeItem(chunk.subarray(start, index), this.#isItemNeeded);
          start = index;
        }
      } else if (byte === COMMA && this.#isInItems && this.#depth === ITEMS_DEPTH) {
        yield* this.#takeItem(chunk.subarray(start, index), true);
        this.#isItemNeeded = true;
        start = index + 1;
      }
    }
    if (start < chunk.length) {
      this.#pending.push(chunk.subarray(start));
    }
  }

  // Returns the index of the last byte of the string in the chunk.
  #skipString(chunk: Uint8Array, from: number): number {
    let index = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      index += 1;
    }
    for (;;) {
      const quote = chunk.indexOf(QUOTE, index);
      const end = quote < 0 ? chunk.length : quote;
      const isEscaped = endsEscaped(chunk, index, end);
      if (quote < 0) {
        this.#isEscaped = isEscaped;
        return chunk.length;
      }
      if (!isEscaped) {
        this.#isInString = false;
        return quote;
      }
      index = quote + 1;
    }
  }

  #openArray(piece: Uint8Array): void {
    this.#pending.push(piece);
    const text = decodePieces(this.#pending);
    this.#pending = [];
    this.#envelope.push(text, "[");
    this.#isInItems = ITEMS_KEY.test(text.slice(-LONGEST_KEY));
    this.hasItems = this.#isInItems;
  }

  *#takeItem(piece: Uint8Array, isNeeded: boolean): Generator<string, void, undefined> {
    this.#pending.push(piece);
    const text = decodePieces(this.#pending);
    this.#pending = [];
    if (text.trim() !== "") yield text;
    else if (isNeeded) throw new SyntaxError("an item is missing beside a comma");
  }
}

// An odd number of backslashes escapes the byte after them.
function endsEscaped(chunk: Uint8Array, start: number, end: number): boolean {
  let first = end;
  while (first > start && chunk[first - 1] === BACKSLASH) {
    first -= 1;
  }
  return (end - first) % 2 === 1;
}
