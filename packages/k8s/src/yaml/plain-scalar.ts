/** What an unquoted word means to the reader that Kubernetes tools use, a YAML 1.1 with departures. */
export type PlainScalar =
  | { readonly kind: "string" }
  | { readonly kind: "timestamp" }
  | { readonly kind: "merge" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number };

const STRING: PlainScalar = { kind: "string" };
const WORDS: ReadonlyMap<string, PlainScalar> = new Map<string, PlainScalar>([
  ...words(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"], { kind: "boolean", value: true }),
  ...words(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"], {
    kind: "boolean",
    value: false,
  }),
  ...words(["", "~", "null", "Null", "NULL"], { kind: "null" }),
  ...words([".nan", ".NaN", ".NAN"], { kind: "float", value: NaN }),
  ...words([".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"], { kind: "float", value: Infinity }),
  ...words(["-.inf", "-.Inf", "-.INF"], { kind: "float", value: -Infinity }),
]);
const FIRST_OF_MEANING = new Set("+-0123456789.yYnNtTfFoO~");
const INTEGER = /^([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const LEADING_POINT = /^\.[0-9]+(?:[eE][-+]?[0-9]+)?$/;
const TIMESTAMP =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+](\d\d):(\d\d)))|(?: +(\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?))?$/;
const SEXAGESIMAL = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_UINT64 = 2n ** 64n - 1n;

/** Describes what an unquoted word means: a string unless it has the form of something else. */
export function plainScalar(text: string): PlainScalar {
  if (text === "<<") return { kind: "merge" };
  if (text !== "" && !FIRST_OF_MEANING.has(text.charAt(0))) return STRING;
  const word = WORDS.get(text);
  if (word !== undefined) return word;
  const first = text.charAt(0);
  if (first === ".") return finite(LEADING_POINT.test(text) ? text : "");
  return /[-+0-9]/.test(first) ? numberOrTimestamp(text) : STRING;
}

/** Reports whether a string keeps its meaning without quotes. */
export function isPlainString(text: string): boolean {
  return plainScalar(text).kind === "string" && !SEXAGESIMAL.test(text);
}

function numberOrTimestamp(text: string): PlainScalar {
  if (isTimestamp(text)) return { kind: "timestamp" };
  const plain = text.replaceAll("_", "");
  return integer(plain) ?? finite(FLOAT.test(plain) ? plain : "");
}

function integer(plain: string): PlainScalar | undefined {
  const match = INTEGER.exec(plain);
  if (match === null) return undefined;
  const [, sign, hexadecimal, binary, octal, decimal] = match;
  const magnitude = BigInt(
    hexadecimal !== undefined
      ? `0x${hexadecimal}`
      : binary !== undefined
        ? `0b${binary}`
        : octal !== undefined
          ? `0o${octal}`
          : (decimal ?? "0"),
  );
  const value = sign === "-" ? -magnitude : magnitude;
  const largest = sign === "+" ? 2n ** 63n - 1n : MAX_UINT64;
  return value < MIN_INT64 || value > largest ? undefined : { kind: "integer", value };
}

function finite(digits: string): PlainScalar {
  const value = digits === "" ? Infinity : Number(digits);
  return Number.isFinite(value) ? { kind: "float", value } : STRING;
}

function isTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const [year, month, day, ...rest] = match.slice(1).map((part) => Number(part ?? "0"));
  const [hour, minute, second, zoneHour, zoneMinute, hour2, minute2, second2] = rest;
  return (
    isDate(year ?? 0, month ?? 0, day ?? 0) &&
    Math.max(hour ?? 0, hour2 ?? 0) < 24 &&
    Math.max(minute ?? 0, second ?? 0, minute2 ?? 0, second2 ?? 0, zoneMinute ?? 0) < 60 &&
    (zoneHour ?? 0) <= 24
  );
}

function isDate(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
  return day <= (lengths[month - 1] ?? 0);
}

function words(list: readonly string[], scalar: PlainScalar): readonly (readonly [string, PlainScalar])[] {
  return list.map((word) => [word, scalar]);
}
