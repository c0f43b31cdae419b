import { MalformedCborError } from "./malformed-cbor.ts";

/** The major types of data items, in the order of their numbers, with the words of messages. */
export const TYPE_NAMES = [
  "positive integer",
  "negative integer",
  "byte string",
  "UTF-8 text string",
  "array",
  "map",
  "tag",
  "primitives",
] as const;

/** The name of a major type. */
export type TypeName = (typeof TYPE_NAMES)[number];

/** The head of a data item: its type, and the argument that follows. */
export interface Head {
  readonly type: TypeName;
  /** The lower five bits of the first byte. */
  readonly info: number;
  /** A value, a length, or the number of a tag; the bits of a float. A bigint for arguments of eight bytes. */
  readonly argument: number | bigint;
  /** Whether the length is unknown: a break follows the last item. */
  readonly isIndefinite: boolean;
}

/** The first byte of a break. */
const BREAK = 0xff;

/** The tag that marks data as CBOR. */
export const SELF_DESCRIBED = 55_799;

/** The tags of byte strings that texts show in another encoding. */
export const LATER_ENCODINGS: Readonly<Record<number, "base64url" | "base64" | "hex">> = {
  21: "base64url",
  22: "base64",
  23: "hex",
};

/** The additional information of floats, by the bytes of their argument. */
export const FLOAT_INFO = { half: 25, single: 26, double: 27 } as const;

/** Reads the heads of data items, one after another. */
export class HeadReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  position = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get remaining(): number {
    return this.bytes.length - this.position;
  }

  /** The first byte of the next item; undefined at the end. */
  get next(): number | undefined {
    return this.bytes[this.position];
  }

  /** Reads a head. Fails: {@link MalformedCborError} when it is not well-formed. */
  head(): Head {
    if (this.remaining === 0) throw new MalformedCborError(UNEXPECTED_END);
    const first = this.#view.getUint8(this.position);
    this.position += 1;
    const type = TYPE_NAMES[first >> 5] as TypeName;
    const info = first & 0x1f;
    const isIndefinite = info === INDEFINITE;
    if (info > FLOAT_INFO.double) this.#requireIndefinite(type, info);
    const argument = info < ONE_BYTE || isIndefinite ? info : this.#argument(info);
    if (type === "primitives" && info === ONE_BYTE && argument < 32) {
      throw new MalformedCborError(`cbor: invalid simple value ${String(argument)} for type ${type}`);
    }
    return { type, info, argument, isIndefinite };
  }

  /** Reads a head and the tags before it. Fails: {@link MalformedCborError} when one is not well-formed. */
  untaggedHead(): Head {
    let head = this.head();
    while (head.type === "tag") head = this.head();
    return head;
  }

  /** Reads a break if it is next. */
  takesBreak(): boolean {
    if (this.next !== BREAK) return false;
    this.position += 1;
    return true;
  }

  /** Reads as many bytes as the length of a string states. */
  take(length: number | bigint): Uint8Array {
    if (this.remaining < length) throw new MalformedCborError(UNEXPECTED_END);
    const start = this.position;
    this.position += Number(length);
    return this.bytes.subarray(start, this.position);
  }

  #requireIndefinite(type: TypeName, info: number): void {
    if (info === INDEFINITE && type === "primitives") throw new MalformedCborError(UNEXPECTED_BREAK);
    if (info !== INDEFINITE || type === "positive integer" || type === "negative integer" || type === "tag") {
      throw new MalformedCborError(`cbor: invalid additional information ${String(info)} for type ${type}`);
    }
  }

  #argument(info: number): number | bigint {
    const length = 2 ** (info - ONE_BYTE);
    const start = this.position;
    this.take(length);
    switch (length) {
      case 1:
        return this.#view.getUint8(start);
      case 2:
        return this.#view.getUint16(start);
      case 4:
        return this.#view.getUint32(start);
      default:
        return this.#view.getBigUint64(start);
    }
  }
}

/** Returns the number of a head with the information of a float. */
export function floatOf({ info, argument }: Head): number {
  const view = new DataView(new ArrayBuffer(8));
  switch (info) {
    case FLOAT_INFO.half:
      return halfFloat(Number(argument));
    case FLOAT_INFO.single:
      view.setUint32(0, Number(argument));
      return view.getFloat32(0);
    default:
      view.setBigUint64(0, BigInt(argument));
      return view.getFloat64(0);
  }
}

/** Reports whether a head is that of a float. */
export function isFloat({ type, info }: Head): boolean {
  return type === "primitives" && info >= FLOAT_INFO.half && info <= FLOAT_INFO.double;
}

function halfFloat(bits: number): number {
  const sign = bits & 0x80_00 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3_ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 0x4_00) * 2 ** (exponent - 15);
}

const ONE_BYTE = 24;
const INDEFINITE = 31;

/** The message about data that ends within an item. */
export const UNEXPECTED_END = "unexpected EOF";

/** The message about a break outside of an item of unknown length. */
export const UNEXPECTED_BREAK = 'cbor: unexpected "break" code';
