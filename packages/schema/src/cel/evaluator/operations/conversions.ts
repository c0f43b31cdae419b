import { characterCount } from "../../../text/character-count.ts";
import { formatDouble, intOf, uintOf } from "../../values/cel-number.ts";
import { CelDuration, CelTimestamp, NANOS_PER_SECOND, timestampOf } from "../../values/cel-time.ts";
import { CelError, CelList, CelMap, CelUint, type CelValue } from "../../values/cel-value.ts";
import { readGoDuration, readTimestamp } from "../../values/read-time.ts";
import { CelTypeValue, runtimeType } from "../../values/runtime-type.ts";
import type { Invoke, Operations } from "./invoke.ts";

const identity: Invoke = (value = null) => value;

/** Implements conversions between types. */
export const CONVERSIONS: Operations = {
  type: (value = null) => new CelTypeValue(runtimeType(value)),
  dyn: identity,
  size: (value = null) => sizeOf(value) ?? new CelError("no such overload: size"),
  bool_to_bool: identity,
  bytes_to_bytes: identity,
  double_to_double: identity,
  duration_to_duration: identity,
  int64_to_int64: identity,
  string_to_string: identity,
  timestamp_to_timestamp: identity,
  uint64_to_uint64: identity,
  string_to_bool: (text) => BOOLEANS[String(text)] ?? failed("string", "bool"),
  string_to_bytes: (text) => new TextEncoder().encode(String(text)),
  int64_to_double: (value) => Number(value),
  uint64_to_double: (value) => (value instanceof CelUint ? Number(value.value) : failed("uint", "double")),
  string_to_double: (text) => readGoFloat(String(text)) ?? failed("string", "double"),
  int64_to_duration: () => failed("int", "google.protobuf.Duration"),
  string_to_duration: (text) => readGoDuration(String(text)) ?? failed("string", "google.protobuf.Duration"),
  double_to_int64: (value) => intOfDouble(Number(value)),
  duration_to_int64: (value) => (value instanceof CelDuration ? value.nanos : 0n),
  string_to_int64: (text) => wholeOf(String(text), /^[-+]?\d+$/, intOf) ?? failed("string", "int"),
  timestamp_to_int64: (value) => (value instanceof CelTimestamp ? value.seconds : 0n),
  uint64_to_int64: (value) => (value instanceof CelUint ? intOf(value.value) : 0n),
  double_to_uint64: (value) => uintOfDouble(Number(value)),
  int64_to_uint64: (value) => (typeof value === "bigint" ? uintOf(value) : 0n),
  string_to_uint64: (text) => wholeOf(String(text), /^\d+$/, uintOf) ?? failed("string", "uint"),
  bool_to_string: (value) => String(value),
  bytes_to_string: (value) => (value instanceof Uint8Array ? decodeUtf8(value) : ""),
  double_to_string: (value) => formatDouble(Number(value)),
  duration_to_string: (value) => String(value),
  int64_to_string: (value) => String(value),
  timestamp_to_string: (value) => String(value),
  uint64_to_string: (value) => (value instanceof CelUint ? String(value.value) : ""),
  int64_to_timestamp: (value) => timestampOf((typeof value === "bigint" ? value : 0n) * NANOS_PER_SECOND),
  string_to_timestamp: (text) => timestampOfText(String(text)),
};

/** Returns the number of elements, entries, code points or bytes of a value, where it has any. */
function sizeOf(value: CelValue): bigint | undefined {
  if (typeof value === "string") return BigInt(characterCount(value));
  if (value instanceof Uint8Array) return BigInt(value.length);
  return value instanceof CelList || value instanceof CelMap ? value.size() : undefined;
}

const BOOLEANS: Readonly<Record<string, boolean>> = {
  1: true, t: true, T: true, true: true, TRUE: true, True: true,
  0: false, f: false, F: false, false: false, FALSE: false, False: false,
}; // prettier-ignore

function failed(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

function wholeOf(text: string, shape: RegExp, check: (value: bigint) => CelValue): CelValue | undefined {
  if (!shape.test(text)) return undefined;
  const value = check(BigInt(text.replace(/^\+/, "")));
  return value instanceof CelError ? undefined : value;
}

// A double at the very edge is refused, for it may have been rounded to it.
function intOfDouble(value: number): CelValue {
  if (Number.isNaN(value) || value <= -(2 ** 63) || value >= 2 ** 63) return new CelError("integer overflow");
  return BigInt(Math.trunc(value));
}

function uintOfDouble(value: number): CelValue {
  if (Number.isNaN(value) || value < 0 || value >= 2 ** 64) return new CelError("unsigned integer overflow");
  return new CelUint(BigInt(Math.trunc(value)));
}

function decodeUtf8(bytes: Uint8Array): CelValue {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return new CelError("invalid UTF-8 in bytes, cannot convert to string");
  }
}

function timestampOfText(text: string): CelValue {
  const moment = readTimestamp(text);
  if (moment === undefined) return failed("string", "google.protobuf.Timestamp");
  return timestampOf(moment.nanos, moment.offsetMinutes);
}

/** Reads a number as Go's `strconv.ParseFloat` does, hexadecimal ones and words for infinity included; out of range is none. */
function readGoFloat(text: string): number | undefined {
  if (/^[-+]?(?:inf|infinity)$/i.test(text))
    return text.startsWith("-") ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  if (/^nan$/i.test(text)) return Number.NaN;
  if (text.includes("_")) return areSeparators(text) ? readGoFloat(text.replaceAll("_", "")) : undefined;
  const value =
    readHexadecimal(text) ?? (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/.test(text) ? Number(text) : undefined);
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function readHexadecimal(text: string): number | undefined {
  const match =
    /^(?<sign>[-+]?)0[xX](?<whole>[0-9a-fA-F]*)(?:\.(?<fraction>[0-9a-fA-F]*))?[pP](?<power>[-+]?\d+)$/.exec(text);
  const { sign, whole = "", fraction = "", power = "0" } = match?.groups ?? {};
  if (match === null || whole + fraction === "") return undefined;
  const magnitude = Number.parseInt(whole + fraction, 16) * 2 ** (Number(power) - 4 * fraction.length);
  return sign === "-" ? -magnitude : magnitude;
}

// An underscore stands between digits, or behind the prefix of a hexadecimal number.
function areSeparators(text: string): boolean {
  return !/^_|_$|__|(?<![0-9a-fA-FxX])_|_(?![0-9a-fA-F])/.test(text);
}
