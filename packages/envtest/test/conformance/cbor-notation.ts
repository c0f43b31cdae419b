import type { Json } from "./row.ts";

/** What a body in CBOR consists of. */
export interface CborNotation {
  /** The data items, one after another: byte strings are strings, other types are written as `type:value`, tags as `{ tag, value }`. */
  readonly items: readonly unknown[];
  /** Whether each length and number has its shortest form. */
  readonly isShortest: boolean;
}

/** Reads data items independently of the server's reader; the keys of maps are sorted, which kube-apiserver writes in a random order. */
export function cborNotation(bytes: Uint8Array): CborNotation {
  const reader = new Reader(bytes);
  const items: unknown[] = [];
  while (!reader.isAtEnd) items.push(reader.item());
  return { items, isShortest: reader.isShortest };
}

const SHORTER_THAN = [24n, 0x1_00n, 0x1_00_00n, 0x1_00_00_00_00n];

class Reader {
  readonly #bytes: Buffer;
  #position = 0;
  isShortest = true;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes);
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  item(): unknown {
    const first = this.#bytes.readUInt8(this.#position);
    this.#position += 1;
    const info = first & 0x1f;
    switch (first >> 5) {
      case 0:
        return toNumber(this.#argument(info));
      case 1:
        return toNumber(-1n - this.#argument(info));
      case 2:
        return this.#string(info);
      case 3:
        return `text:${this.#string(info)}`;
      case 4:
        return Array.from({ length: Number(this.#argument(info)) }, () => this.item());
      case 5:
        return this.#map(info);
      case 6:
        return { tag: Number(this.#argument(info)), value: this.item() };
      default:
        return this.#primitive(info);
    }
  }

  #map(info: number): Json {
    const entries = Array.from({ length: Number(this.#argument(info)) }, (): [string, unknown] => [
      String(this.item()),
      this.item(),
    ]);
    return Object.fromEntries(entries.sort(([left], [right]) => (left < right ? -1 : 1)));
  }

  #string(info: number): string {
    const bytes = this.#take(Number(this.#argument(info)));
    const text = bytes.toString("utf8");
    return Buffer.from(text).equals(bytes) ? text : `hex:${bytes.toString("hex")}`;
  }

  #primitive(info: number): unknown {
    const simple = new Map<number, unknown>([
      [20, false],
      [21, true],
      [22, null],
    ]);
    if (simple.has(info)) return simple.get(info);
    const bytes = this.#take(2 ** (info - 24));
    return `float${String(bytes.length * 8)}:${bytes.toString("hex")}`;
  }

  #argument(info: number): bigint {
    if (info < 24) return BigInt(info);
    const value = BigInt(`0x${this.#take(2 ** (info - 24)).toString("hex")}`);
    if (value < (SHORTER_THAN[info - 24] ?? 0n)) this.isShortest = false;
    return value;
  }

  #take(length: number): Buffer {
    const bytes = this.#bytes.subarray(this.#position, this.#position + length);
    this.#position += length;
    return bytes;
  }
}

function toNumber(value: bigint): number | string {
  return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value))
    ? Number(value)
    : `integer:${String(value)}`;
}
