// cspell:ignore bignum
import { floatOf, type Head, HeadReader, isFloat, TYPE_NAMES, UNEXPECTED_BREAK, UNEXPECTED_END } from "./item-head.ts";
import { MalformedCborError } from "./malformed-cbor.ts";

// The limits of kube-apiserver; they also keep the recursion of all readers short.
const MOST_LEVELS = 64;
const MOST_ELEMENTS = 1024;

/**
 * Checks that bytes are one data item, within the limits of depth and length.
 *
 * Readers check first, and then read without checks, as kube-apiserver does: a body that is cut off fails before its values do.
 * Fails: {@link MalformedCborError} with the message of kube-apiserver.
 */
export function checkWellFormed(bytes: Uint8Array): void {
  if (bytes.length === 0) throw new MalformedCborError("EOF");
  const reader = new HeadReader(bytes);
  checkItem(reader, 0);
  if (reader.remaining > 0) {
    throw new MalformedCborError(
      `cbor: ${String(reader.remaining)} bytes of extraneous data starting at index ${String(reader.position)}`,
    );
  }
}

function checkItem(reader: HeadReader, level: number): void {
  const head = reader.head();
  switch (head.type) {
    case "positive integer":
    case "negative integer":
      break;
    case "primitives":
      checkFloat(head);
      break;
    case "byte string":
    case "UTF-8 text string":
      if (head.isIndefinite) checkChunks(reader, head, level);
      else checkString(reader, head);
      break;
    case "array":
    case "map":
      checkLevel(level + 1);
      if (head.isIndefinite) checkUntilBreak(reader, head, level + 1);
      else checkItems(reader, head, level + 1);
      break;
    case "tag":
      checkTagged(reader, head, level);
  }
}

function checkLevel(level: number): void {
  if (level > MOST_LEVELS) throw new MalformedCborError(`cbor: exceeded max nested level ${String(MOST_LEVELS)}`);
}

function checkFloat(head: Head): void {
  if (!isFloat(head)) return;
  const value = floatOf(head);
  if (Number.isFinite(value)) return;
  throw unacceptable("primitives", `floating-point ${Number.isNaN(value) ? "NaN" : "infinity"}`);
}

/** Creates the error of an item that is well-formed, and that the API does not have. */
export function unacceptable(type: string, what: string): MalformedCborError {
  return new MalformedCborError(`cbor: data item of cbor type ${type} is not accepted by protocol: ${what}`);
}

function checkString(reader: HeadReader, { type, argument }: Head): void {
  if (argument >= OVERFLOW) {
    throw new MalformedCborError(`cbor: ${type} length ${String(argument)} is too large, causing integer overflow`);
  }
  reader.take(argument);
}

function checkChunks(reader: HeadReader, { type }: Head, level: number): void {
  while (!reader.takesBreak()) {
    if (reader.remaining === 0) throw new MalformedCborError(UNEXPECTED_END);
    // The first byte decides, before the head is checked.
    const first = reader.next ?? 0;
    const typeOfChunk = TYPE_NAMES[first >> 5] ?? type;
    if (typeOfChunk !== type) {
      throw new MalformedCborError(`cbor: wrong element type ${typeOfChunk} for indefinite-length ${type}`);
    }
    if ((first & 0x1f) === 0x1f) {
      throw new MalformedCborError(`cbor: indefinite-length ${type} chunk is not definite-length`);
    }
    checkItem(reader, level);
  }
}

function checkItems(reader: HeadReader, { type, argument }: Head, level: number): void {
  if (argument >= OVERFLOW) {
    const length = String(argument);
    throw new MalformedCborError(`cbor: ${type} length ${length} is too large, it would cause integer overflow`);
  }
  if (argument > MOST_ELEMENTS) throw tooMany(type);
  const items = Number(argument) * (type === "map" ? 2 : 1);
  for (let item = 0; item < items; item += 1) checkItem(reader, level);
}

function checkUntilBreak(reader: HeadReader, { type }: Head, level: number): void {
  const most = type === "map" ? MOST_ELEMENTS * 2 : MOST_ELEMENTS;
  let items = 0;
  while (!reader.takesBreak()) {
    checkItem(reader, level);
    items += 1;
    if (items > most && (type === "array" || items % 2 === 0)) throw tooMany(type);
  }
  if (type === "map" && items % 2 === 1) throw new MalformedCborError(UNEXPECTED_BREAK);
}

function tooMany(type: string): MalformedCborError {
  const what = type === "map" ? "key-value pairs" : "elements";
  return new MalformedCborError(`cbor: exceeded max number of ${what} ${String(MOST_ELEMENTS)} for CBOR ${type}`);
}

// Tags of tags count as levels.
function checkTagged(reader: HeadReader, first: Head, level: number): void {
  let tag = first.argument;
  let depth = level;
  for (;;) {
    if (reader.remaining === 0) throw new MalformedCborError(UNEXPECTED_END);
    if (tag === 2 || tag === 3 || tag === 2n || tag === 3n) throw unacceptable("tag", "bignum");
    if ((reader.next ?? 0) >> 5 !== TAG) break;
    tag = reader.head().argument;
    depth += 1;
    checkLevel(depth);
  }
  checkItem(reader, depth);
}

const TAG = 6;
const OVERFLOW = 2n ** 63n;
