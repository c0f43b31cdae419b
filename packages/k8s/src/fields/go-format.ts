import { enclosed, joinPieces, type Piece } from "../json/join-pieces.ts";

/** Prints a value as Go's `%v` prints decoded JSON: `map[a:1 b:[x y]]`, `<nil>`, `1e+06` for a fraction that large. */
export function goValue(value: unknown): string {
  return joinPieces(value, goPieces);
}

function goPieces(value: unknown): string | readonly Piece[] {
  if (value === null || value === undefined) {
    return "<nil>";
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return goNumber(value);
  }
  if (Array.isArray(value)) {
    return enclosed(["[", " ", "]"], itemsOf(value));
  }
  if (typeof value === "object") {
    const members = Object.entries(value).sort(([a], [b]) => compareStrings(a, b));
    return enclosed(
      ["map[", " ", "]"],
      members.map(([key, member]) => [`${key}:`, member]),
    );
  }
  return typeof value === "string" ? value : JSON.stringify(value);
}

function itemsOf(list: readonly unknown[]): readonly (readonly [string, unknown])[] {
  return list.map((item) => ["", item]);
}

/** Reports which Go type decodes a JSON number: `int64` for an integer of 64 bits, which is a `bigint` beyond 2^53, otherwise `float64`. */
export function goNumberType(value: number | bigint): "int64" | "float64" {
  if (typeof value === "bigint") return BigInt.asIntN(64, value) === value ? "int64" : "float64";
  return Number.isSafeInteger(value) ? "int64" : "float64";
}

/** Names the Go type of decoded JSON as `%T` does: `map[string]interface {}`, `int64`, `<nil>`. */
export function goTypeName(value: unknown): string {
  if (value === null || value === undefined) {
    return "<nil>";
  }
  if (typeof value === "number" || typeof value === "bigint") {
    return goNumberType(value);
  }
  if (typeof value === "object") {
    return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
  }
  return typeof value === "boolean" ? "bool" : typeof value;
}

/**
 * Formats the error of Go's JSON decoder for a value that does not match a type.
 *
 * `target` is what it was to be read into, such as `struct field Pod.spec`. Only of integers does Go say which number did not fit.
 */
export function goUnmarshalError(value: unknown, goType: string, target = "value"): string {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const kind = isNumber && /^u?int\d*$/.test(goType) ? `number ${digitsOf(value)}` : jsonKindOf(value);
  return `json: cannot unmarshal ${kind} into Go ${target} of type ${goType}`;
}

function digitsOf(value: number | bigint): string {
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

function jsonKindOf(value: unknown): string {
  if (value === null || value === undefined) {
    return "null";
  }
  if (Array.isArray(value)) {
    return "array";
  }
  if (typeof value === "bigint") {
    return "number";
  }
  return typeof value === "boolean" ? "bool" : typeof value;
}

/** Prints a number as Go's `%v` prints it after decoding JSON. */
export function goNumber(value: number | bigint): string {
  return goNumberType(value) === "int64" ? BigInt(value).toString() : goFloat(Number(value));
}

/** Prints a number as Go's `%v` prints a float64: shortest digits, with an exponent below -4 and from 6 on. */
export function goFloat(value: number): string {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= FIRST_EXPONENT) {
    const digits = Math.abs(power).toString().padStart(2, "0");
    return `${mantissa}e${power < 0 ? "-" : "+"}${digits}`;
  }
  return String(value);
}

// From this power of ten on `%v` writes an exponent.
const FIRST_EXPONENT = 6;

/**
 * Prints a value as Go's JSON encoder does: members sorted, `<`, `>`, `&` and the line separators escaped.
 *
 * The members of a `Map` keep their order, as those of a struct do.
 */
export function goJson(value: unknown): string {
  return joinPieces(value, jsonPieces).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function jsonPieces(value: unknown): string | readonly Piece[] {
  if (Array.isArray(value)) {
    return enclosed(["[", ",", "]"], itemsOf(value));
  }
  if (value instanceof Map) {
    return enclosed(BRACES, [...(value as Map<unknown, unknown>)].map(labeled));
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    members.sort(([a], [b]) => compareStrings(a, b));
    return enclosed(BRACES, members.map(labeled));
  }
  return value === undefined ? "null" : encodeScalar(value);
}

const BRACES = ["{", ",", "}"] as const;

function labeled([key, member]: readonly [unknown, unknown]): readonly [string, unknown] {
  return [`${JSON.stringify(key)}:`, member];
}

function encodeScalar(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  return typeof value === "number" && goNumberType(value) === "int64"
    ? BigInt(value).toString()
    : JSON.stringify(value);
}

/** Quotes a string as Go's `%q` does. */
export function goQuote(text: string): string {
  let quoted = '"';
  for (const char of text) {
    quoted += goQuoteChar(char);
  }
  return `${quoted}"`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
};

function goQuoteChar(char: string): string {
  const escape = ESCAPES[char];
  if (escape !== undefined) {
    return escape;
  }
  if (isGoPrintable(char)) {
    return char;
  }
  return escapeCodePoint(char.codePointAt(0) ?? 0);
}

// A literal would be compiled with the module, which takes as long as 20 kB of other code.
let printable: RegExp | undefined;

/** Reports whether a character is one that Go calls printable: letters, marks, numbers, punctuation, symbols, and the ASCII space. */
export function isGoPrintable(char: string): boolean {
  if (char.length === 1 && char >= " " && char <= "~") return true;
  printable ??= new RegExp("^[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]$", "u");
  return printable.test(char);
}

function escapeCodePoint(code: number): string {
  if (code < 0x80) {
    return `\\x${code.toString(16).padStart(2, "0")}`;
  }
  if (code >= 0xd800 && code <= 0xdfff) {
    return "\ufffd";
  }
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, "0")}` : `\\U${code.toString(16).padStart(8, "0")}`;
}

/** Orders strings as Go does, by their UTF-8 bytes, which is the order of code points. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) {
      return orderOfUnit(a) - orderOfUnit(b);
    }
  }
  return left.length - right.length;
}

// Halves of surrogate pairs stand for the highest code points, though not for the highest code units.
function orderOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
