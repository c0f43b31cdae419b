import { goQuote } from "@kubescaffold/k8s";

import type { CborLimits } from "./cbor-limits.ts";
import { checkWellFormed, unacceptable } from "./check-well-formed.ts";
import {
  floatOf,
  type Head,
  HeadReader,
  isFloat,
  LATER_ENCODINGS,
  SELF_DESCRIBED,
  type TypeName,
} from "./item-head.ts";
import { MalformedCborError } from "./malformed-cbor.ts";
import { hasNext } from "./skip-item.ts";
import { taggedTime } from "./tagged-time.ts";

/** Options of reading. */
export interface ReadCborOptions {
  /** Receives each key of the maps that are read, with the path of its field and its index in the map. */
  readonly observeKey?: (path: string, index: number) => void;
  /** Receives the type of each item, with its path, before it is read. */
  readonly observeType?: (path: string, type: TypeName) => void;
  /** Whether the fields have Go types: times have no tags then, and bytes with any tag for a later encoding are those that JSON has in base64. */
  readonly hasGoTypes?: boolean;
  /** How many items lists and maps may have; by default as many as servers of the newest version allow. */
  readonly limits?: CborLimits;
}

/**
 * Reads a data item as a value of JSON, as kube-apiserver reads one whose fields it does not know.
 *
 * Strings of both kinds become strings; those of bytes with a tag for a later encoding, such as base64, are encoded. Integers beyond 2^53 are of the type bigint.
 * Fails: {@link MalformedCborError} when the bytes are not well-formed, or have values that JSON does not have.
 */
export function readCbor(bytes: Uint8Array, options: ReadCborOptions = {}): unknown {
  checkWellFormed(bytes, options.limits);
  return readWellFormed(bytes, options);
}

/** Reads a data item that was checked to be well-formed. Fails: {@link MalformedCborError} when it has values that JSON does not have. */
export function readWellFormed(bytes: Uint8Array, options: ReadCborOptions): unknown {
  return new ValueReader(new HeadReader(bytes), options).read("");
}

/** Reads the next of several well-formed data items. Fails: {@link MalformedCborError} when it has values that JSON does not have. */
export function readItem(reader: HeadReader): unknown {
  return new ValueReader(reader, { hasGoTypes: true }).read("");
}

/** Returns the type of the next data item behind its tags, without reading it. */
export function typeOfItem(reader: HeadReader): TypeName {
  const start = reader.position;
  const { type } = reader.untaggedHead();
  reader.position = start;
  return type;
}

class ValueReader {
  readonly #reader: HeadReader;
  readonly #options: ReadCborOptions;
  // The encodings that surrounding tags ask for; the innermost is last.
  readonly #encodings: ("base64url" | "base64" | "hex")[] = [];

  constructor(reader: HeadReader, options: ReadCborOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  read(path: string): unknown {
    this.#checkTags();
    const head = this.#reader.head();
    if (head.type !== "tag") this.#options.observeType?.(path, head.type);
    switch (head.type) {
      case "positive integer":
        return integer(head, BigInt(head.argument));
      case "negative integer":
        return integer(head, -1n - BigInt(head.argument));
      case "byte string":
        return this.#encoded(this.#string(head));
      case "UTF-8 text string":
        return this.#text(head);
      case "array":
        return this.#array(head, path);
      case "map":
        return this.#map(head, path);
      case "tag":
        return this.#tagged(head, path);
      case "primitives":
        return isFloat(head) ? floatOf(head) : simpleValue(head);
    }
  }

  // Before a value is read, the tags of it are compared with its type.
  #checkTags(): void {
    const start = this.#reader.position;
    for (let head = this.#reader.next ?? 0; head >> 5 === TAG; head = this.#reader.next ?? 0) {
      const tag = Number(this.#reader.head().argument);
      const next = this.#reader.next ?? 0;
      if (tag === TIME_TEXT && next >> 5 !== TEXT) throw wrongContent(tag, "text string", this.#reader);
      if (tag === TIME_SECONDS && next >> 5 > 1 && !(next >= 0xf9 && next <= 0xfb)) {
        throw wrongContent(tag, "integer or floating-point number", this.#reader);
      }
    }
    this.#reader.position = start;
  }

  #tagged({ argument }: Head, path: string): unknown {
    const tag = Number(argument);
    const isTime = tag === TIME_TEXT || tag === TIME_SECONDS;
    if (isTime && this.#options.hasGoTypes !== true) return taggedTime(this.read(path));
    const encoding = LATER_ENCODINGS[tag];
    if (encoding === undefined) return this.read(path);
    this.#encodings.push(encoding);
    const value = this.read(path);
    this.#encodings.pop();
    return value;
  }

  #string(head: Head): Uint8Array {
    if (!head.isIndefinite) return this.#reader.take(head.argument);
    const chunks: Uint8Array[] = [];
    while (!this.#reader.takesBreak()) chunks.push(this.#reader.take(this.#reader.head().argument));
    return Buffer.concat(chunks);
  }

  #encoded(bytes: Uint8Array): string {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const encoding = this.#encodings.at(-1) ?? "utf8";
    return buffer.toString(encoding !== "utf8" && this.#options.hasGoTypes === true ? "base64" : encoding);
  }

  #text(head: Head): string {
    const bytes = this.#string(head);
    try {
      return STRICT_UTF8.decode(bytes);
    } catch (error) {
      throw new MalformedCborError("cbor: invalid UTF-8 string", { cause: error });
    }
  }

  #array(head: Head, path: string): unknown[] {
    const items: unknown[] = [];
    while (hasNext(this.#reader, head, items.length)) items.push(this.read(`${path}[${String(items.length)}]`));
    return items;
  }

  #map(head: Head, path: string): object {
    const { observeKey, observeType } = this.#options;
    const needsPath = observeKey !== undefined || observeType !== undefined;
    const map = new Map<string, unknown>();
    for (let index = 0; hasNext(this.#reader, head, index); index += 1) {
      const key = this.#key();
      const keyPath = needsPath ? joined(path, key) : "";
      observeKey?.(keyPath, index);
      const value = this.read(keyPath);
      if (map.has(key)) {
        throw new MalformedCborError(
          `cbor: found duplicate map key ${goQuote(key)} at map element index ${String(index)}`,
        );
      }
      map.set(key, value);
    }
    // Unlike an assignment, this makes a field of the key __proto__.
    return Object.fromEntries(map);
  }

  #key(): string {
    const type = typeOfItem(this.#reader);
    const key = STRINGS.has(type) || type === "primitives" ? this.read("") : undefined;
    if (typeof key === "string") return key;
    // As of every field, null is the empty value.
    if (key === null) return "";
    throw unmarshalError(type, "string");
  }
}

/** Creates the error of a value whose type is not that of its Go type. */
export function unmarshalError(type: TypeName, goType: string, detail: string = ""): MalformedCborError {
  const reason = detail === "" ? "" : ` (${detail})`;
  return new MalformedCborError(`cbor: cannot unmarshal ${type} into Go value of type ${goType}${reason}`);
}

function integer({ type }: Head, value: bigint): number | bigint {
  if (value > LONGEST || value < SHORTEST) {
    throw unmarshalError(type, "int64", `${String(value)} overflows Go's int64`);
  }
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function simpleValue({ type, argument }: Head): boolean | null {
  switch (argument) {
    case 20:
      return false;
    case 21:
      return true;
    case 22:
      return null;
    default:
      throw unacceptable(type, `simple value ${String(argument)} is not recognized`);
  }
}

function wrongContent(tag: number, expected: string, reader: HeadReader): MalformedCborError {
  const { type } = reader.head();
  return new MalformedCborError(`cbor: tag number ${String(tag)} must be followed by ${expected}, got ${type}`);
}

const joined = (path: string, key: string): string => (path === "" ? key : `${path}.${key}`);

const STRICT_UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

const STRINGS: ReadonlySet<TypeName> = new Set(["byte string", "UTF-8 text string"]);
const TAG = 6;
const TEXT = 3;
const TIME_TEXT = 0;
const TIME_SECONDS = 1;
const LONGEST = 2n ** 63n - 1n;
const SHORTEST = -(2n ** 63n);

/** The bytes of the tag that marks data as CBOR. */
export const SELF_DESCRIPTION: Uint8Array = Buffer.from([0xd9, SELF_DESCRIBED >> 8, SELF_DESCRIBED & 0xff]);
