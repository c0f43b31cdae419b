import { CelError, CelUint, type CelValue } from "./cel-value.ts";

const MIN_INT = -(2n ** 63n);
const MAX_INT = 2n ** 63n - 1n;
const MAX_UINT = 2n ** 64n - 1n;

/** Returns an int, or the error of an overflow. */
export function intOf(value: bigint): bigint | CelError {
  return value < MIN_INT || value > MAX_INT ? new CelError("integer overflow") : value;
}

/** Returns an unsigned int, or the error of an overflow. */
export function uintOf(value: bigint): CelUint | CelError {
  return value < 0n || value > MAX_UINT ? new CelError("unsigned integer overflow") : new CelUint(value);
}

export function isNumber(value: CelValue): value is bigint | CelUint | number {
  return typeof value === "bigint" || typeof value === "number" || value instanceof CelUint;
}

/** Orders two numbers of any types as cel-go does, NaN aside: a double makes the other one a double too. */
export function compareNumbers(left: bigint | CelUint | number, right: bigint | CelUint | number): -1 | 0 | 1 {
  if (typeof left === "number") return typeof right === "number" ? order(left, right) : compareDouble(left, right);
  if (typeof right === "number") return negate(compareDouble(right, left));
  return order(wholeOf(left), wholeOf(right));
}

function compareDouble(left: number, right: bigint | CelUint): -1 | 0 | 1 {
  const [lowest, highest] = typeof right === "bigint" ? [MIN_INT, MAX_INT] : [0n, MAX_UINT];
  if (left < Number(lowest)) return -1;
  return left > Number(highest) ? 1 : order(left, Number(wholeOf(right)));
}

function order(left: number | bigint, right: number | bigint): -1 | 0 | 1 {
  return left < right ? -1 : left > right ? 1 : 0;
}

function negate(order: -1 | 0 | 1): -1 | 0 | 1 {
  return order === 0 ? 0 : order === 1 ? -1 : 1;
}

function wholeOf(value: bigint | CelUint): bigint {
  return typeof value === "bigint" ? value : value.value;
}

/** Returns the int a double stands for, where it is one without loss. */
export function losslessInt(value: number): bigint | undefined {
  if (!Number.isInteger(value) || value < -(2 ** 63) || value >= 2 ** 63) return undefined;
  return BigInt(value);
}

// The first power of ten that gets an exponent.
const SHORTEST_EXPONENT = 6;

/** Writes a double as Go's `%g` does: the fewest digits, an exponent from the seventh on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  if (value === 0) return `${sign}0`;
  const { digits, exponent } = shortestDigits(Math.abs(value));
  const usesExponent = exponent < -4 || exponent >= SHORTEST_EXPONENT;
  return sign + (usesExponent ? scientific(digits, exponent) : plain(digits, exponent));
}

function scientific(digits: string, exponent: number): string {
  const mantissa = digits.length > 1 ? `${digits.slice(0, 1)}.${digits.slice(1)}` : digits;
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return digits.padEnd(exponent + 1, "0");
  return `${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** Writes a double with the fewest digits and never an exponent. */
export function formatWithoutExponent(value: number): string {
  const sign = value < 0 ? "-" : "";
  if (value === 0) return "0";
  const { digits, exponent } = shortestDigits(Math.abs(value));
  return sign + plain(digits, exponent);
}

/** Writes a double with a number of digits after the point, half to even, and commas between thousands. */
export function formatFixed(value: number, precision: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "-∞";
  const [whole = "", fraction] = exactFixed(Math.abs(value), precision).split(".");
  const grouped = inThousands(whole);
  return `${value < 0 ? "-" : ""}${grouped}${fraction === undefined ? "" : `.${fraction}`}`;
}

function inThousands(digits: string): string {
  const first = digits.length % 3 || 3;
  const rest = Array.from({ length: Math.ceil(digits.length / 3) - 1 }, (_, index) =>
    digits.slice(first + 3 * index, first + 3 * index + 3),
  );
  return [digits.slice(0, first), ...rest].join(",");
}

// That printer does not look at the precision it is given.
const PRINTED_PRECISION = 6;

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** Writes a double as a power of ten in the typography that Go's printer for English takes. */
export function formatScientific(value: number): string {
  if (!Number.isFinite(value)) return formatFixed(value, PRINTED_PRECISION);
  const [mantissa = "", exponent = "0"] = value.toExponential(PRINTED_PRECISION).split("e");
  const power = String(Math.abs(Number(exponent))).padStart(2, "0");
  const raised = Array.from(power, (digit) => SUPERSCRIPTS[Number(digit)] ?? "").join("");
  return `${mantissa}×10${Number(exponent) < 0 ? "⁻" : ""}${raised}`;
}

/** Returns the fewest digits that tell a positive double from all others, and the power of ten of the first. */
function shortestDigits(value: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

// No double has more digits after the point.
const MOST_FRACTION_DIGITS = 1074;

/** Writes a non-negative double with a number of digits after the point, exactly, and half to even. */
function exactFixed(value: number, precision: number): string {
  if (precision > MOST_FRACTION_DIGITS) {
    return exactFixed(value, MOST_FRACTION_DIGITS) + "0".repeat(precision - MOST_FRACTION_DIGITS);
  }
  const { mantissa, exponent } = binaryParts(value);
  const scaled = mantissa * 10n ** BigInt(precision);
  const rounded = exponent >= 0 ? scaled << BigInt(exponent) : shiftHalfToEven(scaled, BigInt(-exponent));
  const digits = rounded.toString().padStart(precision + 1, "0");
  if (precision === 0) return digits;
  return `${digits.slice(0, -precision)}.${digits.slice(-precision)}`;
}

function binaryParts(value: number): { readonly mantissa: bigint; readonly exponent: number } {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const stored = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & (2n ** 52n - 1n);
  return stored === 0
    ? { mantissa: fraction, exponent: -1074 }
    : { mantissa: fraction | (2n ** 52n), exponent: stored - 1075 };
}

function shiftHalfToEven(value: bigint, bits: bigint): bigint {
  const quotient = value >> bits;
  const rest = value - (quotient << bits);
  const half = 1n << (bits - 1n);
  const isUp = rest > half || (rest === half && (quotient & 1n) === 1n);
  return isUp ? quotient + 1n : quotient;
}
