// cspell:ignore bignum
import { type CborLimits, LIMITS } from "./cbor-limits.ts";
import { floatOf, type Head, HeadReader, isFloat, TYPE_NAMES, UNEXPECTED_BREAK, UNEXPECTED_END } from "./item-head.ts";
import { MalformedCborError } from "./malformed-cbor.ts";

// Kubernetes 1.36 allows 10,000 levels, which would end the recursion of all readers.
const MOST_LEVELS = 64;

/**
 * Checks that bytes are one data item, within the limits of depth and length.
 *
 * Readers check first, and then read without checks, as kube-apiserver does: a body that is cut off fails before its values do.
 * Fails: {@link MalformedCborError} with the message of kube-apiserver.
 */
export function checkWellFormed(bytes: Uint8Array, limits: CborLimits = LIMITS): void {
  if (bytes.length === 0) throw new MalformedCborError("EOF");
  const reader = new HeadReader(bytes);
  checkItem(reader, 0, limits);
  if (reader.remaining > 0) {
    throw new MalformedCborError(
      `cbor: ${String(reader.remaining)} bytes of extraneous data starting at index ${String(reader.position)}`,
    );
  }
}

function checkItem(reader: HeadReader, level: number, limits: CborLimits): void {
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
      if (head.isIndefinite) checkChunks(reader, head);
      else checkString(reader, head);
      break;
    case "array":
    case "map":
      checkLevel(level + 1);
      if (head.isIndefinite) checkUntilBreak(reader, head, level + 1, limits);
      else checkItems(reader, head, level + 1, limits);
      break;
    case "tag":
      checkTagged(reader, head, level, limits);
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

function checkChunks(reader: HeadReader, { type }: Head): void {
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
    checkString(reader, reader.head());
  }
}

function checkItems(reader: HeadReader, { type, argument }: Head, level: number, limits: CborLimits): void {
  if (argument >= OVERFLOW) {
    const length = String(argument);
    throw new MalformedCborError(`cbor: ${type} length ${length} is too large, it would cause integer overflow`);
  }
  const most = mostItems(type, limits);
  if (argument > most) throw tooMany(type, most);
  const items = Number(argument) * (type === "map" ? 2 : 1);
  for (let item = 0; item < items; item += 1) checkItem(reader, level, limits);
}

function checkUntilBreak(reader: HeadReader, { type }: Head, level: number, limits: CborLimits): void {
  const most = mostItems(type, limits);
  const perItem = type === "map" ? 2 : 1;
  let items = 0;
  while (!reader.takesBreak()) {
    checkItem(reader, level, limits);
    items += 1;
    if (items > most * perItem && items % perItem === 0) throw tooMany(type, most);
  }
  if (type === "map" && items % 2 === 1) throw new MalformedCborError(UNEXPECTED_BREAK);
}

function mostItems(type: string, limits: CborLimits): number {
  return type === "map" ? limits.map : limits.array;
}

function tooMany(type: string, most: number): MalformedCborError {
  const what = type === "map" ? "key-value pairs" : "elements";
  return new MalformedCborError(`cbor: exceeded max number of ${what} ${String(most)} for CBOR ${type}`);
}

// Tags of tags count as levels.
function checkTagged(reader: HeadReader, first: Head, level: number, limits: CborLimits): void {
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
  checkItem(reader, depth, limits);
}

const TAG = 6;
const OVERFLOW = 2n ** 63n;
