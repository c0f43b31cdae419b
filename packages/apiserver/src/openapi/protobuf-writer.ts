const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;

/** Writes the fields of one message in the wire format of protocol buffers. */
export class ProtobufWriter {
  readonly #chunks: Uint8Array[] = [];
  #length = 0;

  string(field: number, value: string): void {
    this.#lengthDelimited(field, Buffer.from(value, "utf8"));
  }

  /** Whole numbers and booleans; negative numbers take ten bytes. */
  integer(field: number, value: number | boolean): void {
    this.#tag(field, VARINT);
    this.#append(varint(BigInt.asUintN(64, BigInt(value))));
  }

  double(field: number, value: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleLE(value);
    this.#tag(field, FIXED64);
    this.#append(bytes);
  }

  /** A message inside this one, which is there even when it has no fields. */
  message(field: number, write: (writer: ProtobufWriter) => void): void {
    const inner = new ProtobufWriter();
    write(inner);
    this.#lengthDelimited(field, inner.bytes());
  }

  bytes(): Uint8Array {
    return Buffer.concat(this.#chunks, this.#length);
  }

  #lengthDelimited(field: number, bytes: Uint8Array): void {
    this.#tag(field, LENGTH);
    this.#append(varint(BigInt(bytes.length)));
    this.#append(bytes);
  }

  #tag(field: number, wireType: number): void {
    this.#append(varint(BigInt(field * 8 + wireType)));
  }

  #append(bytes: Uint8Array): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
  }
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return Uint8Array.from([...bytes, Number(rest)]);
}
