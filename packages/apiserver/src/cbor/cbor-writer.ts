import { FLOAT_INFO } from "./item-head.ts";

/** The number of a major type. */
const MAJOR = { positive: 0, negative: 1, bytes: 2, array: 4, map: 5, tag: 6, primitive: 7 } as const;

const SIMPLE = { false: 20, true: 21, null: 22 } as const;

const LONGEST_INFO = 24;

/** Writes data items in the shortest form. */
export class CborWriter {
  #bytes = Buffer.allocUnsafe(1024);
  #length = 0;

  /** Returns what was written; the writer is not used any more. */
  finish(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Writes a string as bytes, as Go strings are written. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.#head(MAJOR.bytes, length);
    this.#reserve(length);
    this.#length += this.#bytes.write(text, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    this.#head(MAJOR.bytes, bytes.length);
    this.raw(bytes);
  }

  array(length: number): void {
    this.#head(MAJOR.array, length);
  }

  map(length: number): void {
    this.#head(MAJOR.map, length);
  }

  tag(number: number): void {
    this.#head(MAJOR.tag, number);
  }

  boolean(value: boolean): void {
    this.#head(MAJOR.primitive, value ? SIMPLE.true : SIMPLE.false);
  }

  null(): void {
    this.#head(MAJOR.primitive, SIMPLE.null);
  }

  integer(value: number | bigint): void {
    if (value >= 0) this.#head(MAJOR.positive, value);
    else this.#head(MAJOR.negative, typeof value === "bigint" ? -1n - value : -1 - value);
  }

  /** Writes a number as the shortest float that has its value. */
  float(value: number): void {
    const half = halfFloatBits(value);
    if (half !== undefined) {
      this.#reserve(3);
      this.#byte(FLOAT_HEAD + FLOAT_INFO.half);
      this.#length = this.#bytes.writeUInt16BE(half, this.#length);
    } else if (Math.fround(value) === value) {
      this.#reserve(5);
      this.#byte(FLOAT_HEAD + FLOAT_INFO.single);
      this.#length = this.#bytes.writeFloatBE(value, this.#length);
    } else {
      this.#reserve(9);
      this.#byte(FLOAT_HEAD + FLOAT_INFO.double);
      this.#length = this.#bytes.writeDoubleBE(value, this.#length);
    }
  }

  #head(major: number, argument: number | bigint): void {
    this.#reserve(9);
    const first = major << 5;
    if (argument < LONGEST_INFO) {
      this.#byte(first + Number(argument));
    } else if (argument <= 0xff) {
      this.#byte(first + LONGEST_INFO);
      this.#byte(Number(argument));
    } else if (argument <= 0xff_ff) {
      this.#byte(first + 25);
      this.#length = this.#bytes.writeUInt16BE(Number(argument), this.#length);
    } else if (argument <= 0xff_ff_ff_ff) {
      this.#byte(first + 26);
      this.#length = this.#bytes.writeUInt32BE(Number(argument), this.#length);
    } else {
      this.#byte(first + 27);
      this.#length = this.#bytes.writeBigUInt64BE(BigInt(argument), this.#length);
    }
  }

  #byte(byte: number): void {
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  #reserve(length: number): void {
    if (this.#length + length <= this.#bytes.length) return;
    const longer = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + length));
    longer.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = longer;
  }
}

const FLOAT_HEAD = MAJOR.primitive << 5;

// Returns the bits of a number that a half float has exactly.
function halfFloatBits(value: number): number | undefined {
  if (value === 0) return Object.is(value, -0) ? 0x80_00 : 0;
  const sign = value < 0 ? 0x80_00 : 0;
  const magnitude = Math.abs(value);
  // The numbers below the first normal one are multiples of the smallest.
  if (magnitude < 2 ** -14) {
    const fraction = magnitude * 2 ** 24;
    return Number.isInteger(fraction) ? sign | fraction : undefined;
  }
  if (magnitude > 65_504) return undefined;
  const exponent = Math.floor(Math.log2(magnitude));
  const fraction = (magnitude / 2 ** exponent - 1) * 0x4_00;
  return Number.isInteger(fraction) ? sign | ((exponent + 15) << 10) | fraction : undefined;
}
