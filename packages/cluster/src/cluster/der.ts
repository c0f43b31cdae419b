// Tags of DER.
export const INTEGER = 0x02;
const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const UTF8_STRING = 0x0c;
const PRINTABLE_STRING = 0x13;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
export const SEQUENCE = 0x30;
export const SET = 0x31;

/** DER of true. */
export const TRUE: Buffer = Buffer.from([0x01, 0x01, 0xff]);

/** Encodes a sequence of elements. */
export function sequence(...parts: readonly Uint8Array[]): Buffer {
  return element(SEQUENCE, Buffer.concat(parts));
}

/** Encodes an element of a tag. */
export function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

// A length of 128 or more follows the number of its bytes.
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

/** Encodes an object identifier, such as `2.5.4.3`. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest].flatMap((arc) => base128(arc))));
}

function base128(arc: number): readonly number[] {
  const bytes = [arc % 128];
  for (let rest = Math.floor(arc / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(128 + (rest % 128));
  return bytes;
}

/** Encodes bits, the last of which may be unused. */
export function bitString(bytes: Buffer, unusedBits: number): Buffer {
  return element(BIT_STRING, Buffer.concat([Buffer.from([unusedBits]), bytes]));
}

/** Encodes the set bits of a list of named bits, which count from the left. */
export function namedBits(bits: readonly number[]): Buffer {
  const last = Math.max(...bits);
  const bytes = Buffer.alloc((last >> 3) + 1);
  for (const bit of bits) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) | (0x80 >> (bit & 7));
  return bitString(bytes, 7 - (last & 7));
}

/** Encodes a text like Go: as PrintableString if its characters allow it, in UTF-8 otherwise. */
export function text(value: string): Buffer {
  return element(PRINTABLE.test(value) ? PRINTABLE_STRING : UTF8_STRING, Buffer.from(value));
}

const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/u;

/** Encodes a time; from 2050 on, years have four digits. */
export function time(date: Date): Buffer {
  const digits = date.toISOString().replaceAll(/\.\d+|[-:T]/gu, "");
  return date.getUTCFullYear() < 2050
    ? element(UTC_TIME, Buffer.from(digits.slice(2)))
    : element(GENERALIZED_TIME, Buffer.from(digits));
}
