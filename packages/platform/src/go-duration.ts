import { isDigit, readBoundedInteger, skipDigits, withoutLeadingZeros } from "./digits.ts";

const INT64_LIMIT = 2n ** 63n;
const NANOS_PER_MS = 1_000_000;
const NANOS_PER_SECOND = 1_000_000_000n;

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", NANOS_PER_SECOND],
  ["m", 60n * NANOS_PER_SECOND],
  ["h", 3600n * NANOS_PER_SECOND],
]);

/** Reads a duration in Go's format, such as `1m30s` or `500ms`, as milliseconds; undefined for negative durations and other text. */
export function parseGoDuration(text: string): number | undefined {
  const nanos = readGoNanoseconds(text);
  return nanos === undefined || nanos < 0n ? undefined : Number(nanos) / NANOS_PER_MS;
}

/**
 * Reads a duration in Go's format (`1h30m`, `-1.5s`) as nanoseconds, in linear time; undefined for any other text.
 *
 * Go: time.ParseDuration
 */
export function readGoNanoseconds(text: string): bigint | undefined {
  const rest = withoutSign(text);
  const total = rest === "0" ? 0n : sumOfParts(rest);
  if (total === undefined || rest === "") return undefined;
  if (text.startsWith("-")) return BigInt.asIntN(64, -total);
  return total === INT64_LIMIT ? undefined : total;
}

/**
 * Prints nanoseconds like Go: `1h30m0s`, `1.5s`, `200ms`.
 *
 * Go: time.Duration.String
 */
export function formatGoDuration(nanos: bigint): string {
  const sign = nanos < 0n ? "-" : "";
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) return "0s";
  const small = size < NANOS_PER_SECOND ? SMALL_UNITS.find(([, unit]) => size >= unit) : undefined;
  if (small !== undefined) return `${sign}${decimal(size, small[1])}${small[0]}`;
  const minutes = size / (60n * NANOS_PER_SECOND);
  const hours = minutes / 60n;
  const prefix = `${hours > 0n ? `${String(hours)}h` : ""}${minutes > 0n ? `${String(minutes % 60n)}m` : ""}`;
  return `${sign}${prefix}${decimal(size % (60n * NANOS_PER_SECOND), NANOS_PER_SECOND)}s`;
}

const SMALL_UNITS = [
  ["ms", 1_000_000n],
  ["\u00b5s", 1_000n],
  ["ns", 1n],
] as const;

function decimal(size: bigint, unit: bigint): string {
  let [fraction, digits] = [size % unit, String(unit).length - 1];
  for (; fraction !== 0n && fraction % 10n === 0n; fraction /= 10n) digits -= 1;
  return fraction === 0n ? String(size / unit) : `${String(size / unit)}.${String(fraction).padStart(digits, "0")}`;
}

/** Returns the message of Go's `time.ParseDuration` for a text that {@link readGoNanoseconds} does not read. */
export function goDurationProblem(text: string): string {
  return `time: ${problemOf(withoutSign(text))} ${quoted(text)}`;
}

function problemOf(text: string): string {
  for (let at = 0; at < text.length;) {
    const { numberEnd, end, hasDigits } = partAt(text, at);
    if (!hasDigits) return "invalid duration";
    if (end === numberEnd) return "missing unit in duration";
    const unit = text.slice(numberEnd, end);
    if (!UNITS.has(unit)) return `unknown unit ${quoted(unit)} in duration`;
    if (readPart(text, at) === undefined) return "invalid duration";
    at = end;
  }
  return "invalid duration";
}

// As Go quotes durations: what is not printable in ASCII is printed byte by byte.
function quoted(text: string): string {
  const escaped = [...new TextEncoder().encode(text)].map((byte) => {
    if (byte < 0x20 || byte > 0x7e) return `\\x${byte.toString(16).padStart(2, "0")}`;
    const character = String.fromCodePoint(byte);
    return character === '"' || character === "\\" ? `\\${character}` : character;
  });
  return `"${escaped.join("")}"`;
}

function withoutSign(text: string): string {
  return text.startsWith("-") || text.startsWith("+") ? text.slice(1) : text;
}

function sumOfParts(text: string): bigint | undefined {
  let total = 0n;
  for (let at = 0; at < text.length;) {
    const part = readPart(text, at);
    if (part === undefined) return undefined;
    // Two halves of the range wrap around to zero, which Go accepts.
    total = BigInt.asUintN(64, total + part.nanos);
    if (total > INT64_LIMIT) return undefined;
    at = part.end;
  }
  return total;
}

function readPart(text: string, start: number): { readonly nanos: bigint; readonly end: number } | undefined {
  const { wholeEnd, numberEnd, end, hasDigits } = partAt(text, start);
  const unit = UNITS.get(text.slice(numberEnd, end));
  const whole = readBoundedInteger(text.slice(start, wholeEnd), INT64_LIMIT);
  if (!hasDigits || unit === undefined || whole === undefined || whole > INT64_LIMIT / unit) return undefined;
  const nanos = whole * unit + fractionOf(text.slice(wholeEnd + 1, numberEnd), unit);
  return nanos > INT64_LIMIT ? undefined : { nanos, end };
}

/** Where the parts of an amount end: its whole number, the number with its fraction, and the unit. */
interface Part {
  readonly wholeEnd: number;
  readonly numberEnd: number;
  readonly end: number;
  readonly hasDigits: boolean;
}

function partAt(text: string, start: number): Part {
  const wholeEnd = skipDigits(text, start);
  const numberEnd = text[wholeEnd] === "." ? skipDigits(text, wholeEnd + 1) : wholeEnd;
  const hasDigits = wholeEnd > start || numberEnd > wholeEnd + 1;
  return { wholeEnd, numberEnd, end: skipUnit(text, numberEnd), hasDigits };
}

function skipUnit(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== "." && !isDigit(text.charCodeAt(at))) at++;
  return at;
}

const LARGEST_DECIMAL_EXPONENT = 309;

// Go computes a fraction in floating point, from as many digits as its integer holds.
function fractionOf(digits: string, unit: bigint): bigint {
  const significant = withoutLeadingZeros(digits);
  if (significant === "") return 0n;
  const longest = significant.slice(0, 19);
  const read = BigInt(longest) > INT64_LIMIT ? longest.slice(0, 18) : longest;
  const exponent = Math.min(digits.length - significant.length + read.length, LARGEST_DECIMAL_EXPONENT);
  let scale = 1;
  for (let index = 0; index < exponent; index++) scale *= 10;
  return BigInt(Math.trunc(Number(BigInt(read)) * (Number(unit) / scale)));
}
