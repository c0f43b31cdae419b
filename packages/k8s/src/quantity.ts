import { QuantityError } from "./failures/errors.ts";
import {
  addDigits,
  compareDigits,
  type Digits,
  digitsOf,
  incremented,
  LONG_DIGITS,
  LongAmount,
  type QuantityAmount,
  type QuantityFormat,
  withoutZeros,
} from "./long-amount.ts";

/** An amount in Kubernetes' notation: `100m`, `1.5`, `128Mi`, `1e3`. */
export type Quantity = string;

const BINARY: ReadonlyMap<string, number> = new Map(["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((s, i) => [s, i + 1]));
const DECIMAL: ReadonlyMap<string, number> = new Map(
  ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((s, i) => [s, 3 * i - 9]),
);
const SMALLEST_SCALE = -9;
const LARGEST_EXPONENT = 10_000;
const MAX_INT64 = 2n ** 63n - 1n;
const MOST_INT64_DIGITS = 19;
/** Those of 2^-60, and nine more. */
const MOST_BINARY_DIGITS = 69;
const SHAPE = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/**
 * Reads an amount as an API server does; it may be a number, as the API allows.
 *
 * Guarantees: exact, but what is smaller than a nano is rounded up, and binary amounts end at 2^63-1.
 * Fails: {@link QuantityError} with upstream's sentence.
 *
 * @example
 * parseQuantity("1.5Gi"); // { unscaled: 1610612736n, scale: 0, format: "BinarySI" }
 */
export function parseQuantity(quantity: Quantity | number): QuantityAmount {
  const text = String(quantity);
  if (text === "0") return { unscaled: 0n, scale: 0, format: "DecimalSI", text };
  const parts = split(text);
  const suffix = interpretSuffix(parts.suffix, text);
  const scaled = isShort(parts, suffix) ? exactly(parts, suffix) : bounded(parts, suffix);
  const canonical = isShort(parts, suffix) && isTakenAsCanonical(parts, suffix);
  return canonical ? { ...scaled, text } : scaled;
}

/**
 * Writes an amount in canonical form: no fraction, the largest suffix that leaves none, at least three digits apart.
 *
 * Amounts beyond the largest suffix, which upstream writes without one, get an exponent.
 */
export function formatQuantity(amount: QuantityAmount): Quantity {
  if (amount.text !== undefined) return amount.text;
  if (isZero(amount)) return "0";
  // A sum of a binary and a long amount is printed without a binary suffix, which would take divisions.
  const isBinary = amount.format === "BinarySI" && !(amount instanceof LongAmount);
  const whole = isBinary ? wholeValue(amount) : undefined;
  return whole !== undefined && magnitude(whole) >= 1024n ? binaryText(whole) : decimalText(amount);
}

/** Returns a quantity in canonical form: `1000m` becomes `1`. */
export function canonicalQuantity(quantity: Quantity | number): Quantity {
  return formatQuantity(parseQuantity(quantity));
}

/** Reports whether a text is a quantity. */
export function isQuantity(text: string): boolean {
  try {
    parseQuantity(text);
    return true;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

/** Adds two quantities exactly; the sum is written like the first, or like the second where the first is zero. */
export function addQuantities(left: Quantity | number, right: Quantity | number): Quantity {
  return formatQuantity(addAmounts(parseQuantity(left), parseQuantity(right)));
}

/** Subtracts the second quantity from the first exactly; the difference is written as a sum would be. */
export function subtractQuantities(left: Quantity | number, right: Quantity | number): Quantity {
  return formatQuantity(addAmounts(parseQuantity(left), negateAmount(parseQuantity(right))));
}

/** Returns the quantity with the other sign. */
export function negateQuantity(quantity: Quantity | number): Quantity {
  return formatQuantity(negateAmount(parseQuantity(quantity)));
}

/** Compares two quantities by value: negative, 0 or positive. */
export function compareQuantities(left: Quantity | number, right: Quantity | number): number {
  return compareAmounts(parseQuantity(left), parseQuantity(right));
}

/** Compares two amounts by value: negative, 0 or positive. */
export function compareAmounts(left: QuantityAmount, right: QuantityAmount): number {
  if (areLong(left, right)) return compareDigits(digitsOf(left), digitsOf(right));
  const scale = Math.min(left.scale, right.scale);
  const difference = atScale(left, scale) - atScale(right, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Returns -1, 0, or 1: the sign of an amount. */
export function signOfAmount(amount: QuantityAmount): number {
  if (amount instanceof LongAmount) return amount.isNegative ? -1 : 1;
  return amount.unscaled === 0n ? 0 : amount.unscaled < 0n ? -1 : 1;
}

/** Adds two amounts exactly. */
export function addAmounts(left: QuantityAmount, right: QuantityAmount): QuantityAmount {
  const scale = Math.min(left.scale, right.scale);
  const format = isZero(left) ? right.format : left.format;
  if (areLong(left, right)) return amountOf(addDigits(digitsOf(left), digitsOf(right)), format);
  return { unscaled: atScale(left, scale) + atScale(right, scale), scale, format };
}

/** Returns the amount with the other sign. */
export function negateAmount(amount: QuantityAmount): QuantityAmount {
  if (amount instanceof LongAmount) return amount.negated();
  const { unscaled, scale, format } = amount;
  return { unscaled: -unscaled, scale, format };
}

/** Reports whether a quantity is zero, however it is written. */
export function isZeroQuantity(quantity: Quantity | number): boolean {
  return isZero(parseQuantity(quantity));
}

/** Returns a quantity as a JavaScript number, the nearest there is. */
export function quantityToNumber(quantity: Quantity | number): number {
  const amount = parseQuantity(quantity);
  if (!(amount instanceof LongAmount)) return Number(`${amount.unscaled}e${amount.scale}`);
  return Number(`${amount.isNegative ? "-" : ""}${amount.digits}e${amount.scale}`);
}

/**
 * Returns a quantity as a count of `10^scale`, fractions rounded away from zero as upstream's `Value` and `MilliValue`
 * (scale -3) do; a quantity of more than 1000 digits counts as 10^1000.
 */
export function quantityToBigInt(quantity: Quantity | number, scale: number = 0): bigint {
  const amount = parseQuantity(quantity);
  const isLong = amount instanceof LongAmount || amount.scale - scale > LONG_DIGITS;
  if (!isLong || isZero(amount)) return roundedUp(amount, scale).unscaled;
  return (digitsOf(amount).isNegative ? -1n : 1n) * 10n ** BigInt(LONG_DIGITS);
}

interface Parts {
  readonly text: string;
  readonly sign: 1n | -1n;
  /** The digits before the point, without leading zeros, at least one. */
  readonly whole: string;
  readonly fraction: string;
  readonly suffix: string;
}

interface Suffix {
  readonly format: QuantityFormat;
  /** A power of ten, or of 1024 for binary amounts. */
  readonly exponent: number;
}

function split(text: string): Parts {
  const match = /^([+-]?)0*(?!0)(\d*)(?!\d)(?:\.(\d*)(?!\d))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text);
  if (match === null || text === "") throw new QuantityError(SHAPE, text);
  const [, sign, digits, fraction, suffix] = match;
  return {
    text,
    sign: sign === "-" ? -1n : 1n,
    whole: digits === "" || digits === undefined ? "0" : digits,
    fraction: fraction ?? "",
    suffix: suffix ?? "",
  };
}

function interpretSuffix(suffix: string, text: string): Suffix {
  const decimal = DECIMAL.get(suffix);
  if (decimal !== undefined) return { format: "DecimalSI", exponent: decimal };
  const binary = BINARY.get(suffix);
  if (binary !== undefined) return { format: "BinarySI", exponent: binary };
  const exponent = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1];
  if (exponent === undefined) throw new QuantityError("unable to parse quantity's suffix", text);
  if (Math.abs(Number(exponent)) > LARGEST_EXPONENT) throw new QuantityError("the exponent is out of range", text);
  return { format: "DecimalExponent", exponent: Number(exponent) };
}

// Upstream's fast path: what fits into 64 bits for certain. It alone remembers the text.
function isShort({ sign, whole, fraction }: Parts, { format, exponent }: Suffix): boolean {
  if (format !== "BinarySI")
    return whole.length + fraction.length <= 18 && exponent - fraction.length >= SMALLEST_SCALE;
  const hasRoom = 15 - whole.length - Math.trunc((exponent * 10 * 3) / 10) - 1 >= 0;
  return fraction === "" && hasRoom && magnitude(sign * BigInt(whole)) * 1024n ** BigInt(exponent) <= MAX_INT64;
}

function isTakenAsCanonical({ whole, fraction }: Parts, { format, exponent }: Suffix): boolean {
  const digits = whole + fraction;
  if (format === "BinarySI") return (BigInt(whole) & 7n) !== 0n;
  return (exponent - fraction.length) % 3 === 0 && !digits.endsWith("000") && !digits.startsWith("0");
}

function exactly({ sign, whole, fraction }: Parts, { format, exponent }: Suffix): QuantityAmount {
  const unscaled = sign * BigInt(whole + fraction);
  if (format === "BinarySI") return { unscaled: unscaled * 1024n ** BigInt(exponent), scale: -fraction.length, format };
  return { unscaled, scale: exponent - fraction.length, format };
}

function bounded(parts: Parts, suffix: Suffix): QuantityAmount {
  const value = parts.text.slice(0, parts.text.length - parts.suffix.length);
  if (!/\d/.test(value)) throw new QuantityError("unable to parse numeric part of quantity", parts.text);
  return suffix.format === "BinarySI" ? boundedBinary(parts, suffix) : boundedDecimal(parts, suffix);
}

// Each digit takes part in a bounded number of steps, whatever the length: what is below a nano is only looked at.
function boundedDecimal({ sign, whole, fraction }: Parts, { format, exponent }: Suffix): QuantityAmount {
  const all = (whole + fraction).replace(/^0+/, "");
  if (all === "") return { unscaled: 0n, scale: 0, format };
  const kept = all.length + Math.min(0, exponent - fraction.length - SMALLEST_SCALE);
  const isRounded = kept < all.length && /[1-9]/.test(all.slice(Math.max(0, kept)));
  const scale = Math.max(exponent - fraction.length, SMALLEST_SCALE);
  const digits = all.slice(0, Math.max(0, kept));
  const short = isRounded ? incremented(digits, scale) : withoutZeros(digits, scale);
  return amountOf({ isNegative: sign === -1n, ...short }, format);
}

// Upstream computes with nanos, too.
function amountOf(digits: Digits, format: QuantityFormat): QuantityAmount {
  if (digits.digits.length + digits.scale - SMALLEST_SCALE > LONG_DIGITS) return new LongAmount(digits, format);
  const unscaled = (digits.isNegative ? -1n : 1n) * BigInt(digits.digits);
  return {
    unscaled: atScale({ unscaled, scale: digits.scale, format }, SMALLEST_SCALE),
    scale: SMALLEST_SCALE,
    format,
  };
}

function boundedBinary(parts: Parts, suffix: Suffix): QuantityAmount {
  const { sign, whole, fraction } = parts;
  const largest: QuantityAmount = { unscaled: sign * MAX_INT64, scale: 0, format: "BinarySI" };
  if (whole.length > MOST_INT64_DIGITS) return largest;
  const exact = exactly({ ...parts, fraction: roundedFraction(fraction) }, suffix);
  if (exact.unscaled === 0n) return { ...exact, scale: 0 };
  const amount = roundedUp(exact, SMALLEST_SCALE);
  const positive = { ...amount, unscaled: magnitude(amount.unscaled) };
  if (compareAmounts(positive, { ...largest, unscaled: MAX_INT64 }) > 0) return largest;
  const isFraction = compareAmounts(positive, { ...largest, unscaled: 1n }) < 0;
  return isFraction ? { ...amount, format: "DecimalSI" } : amount;
}

// All multiples of a nano, divided by a binary suffix, have fewer digits than these: any digit behind them decides as well as all of them.
function roundedFraction(fraction: string): string {
  if (fraction.length <= MOST_BINARY_DIGITS) return fraction;
  return fraction.slice(0, MOST_BINARY_DIGITS) + (/[1-9]/.test(fraction.slice(MOST_BINARY_DIGITS)) ? "1" : "");
}

function roundedUp(amount: QuantityAmount, scale: number): QuantityAmount {
  if (amount.scale >= scale) return { ...amount, unscaled: atScale(amount, scale), scale };
  const divisor = 10n ** BigInt(scale - amount.scale);
  const quotient = amount.unscaled / divisor;
  const rest = amount.unscaled % divisor;
  const unscaled = rest === 0n ? quotient : quotient + (rest < 0n ? -1n : 1n);
  return { unscaled, scale, format: amount.format };
}

function wholeValue(amount: QuantityAmount): bigint | undefined {
  const rounded = roundedUp(amount, 0);
  return compareAmounts(rounded, amount) === 0 ? rounded.unscaled : undefined;
}

function binaryText(whole: bigint): string {
  let value = whole;
  let power = 0;
  while (value % 1024n === 0n && power < BINARY.size) {
    value /= 1024n;
    power++;
  }
  return `${value}${[...BINARY.keys()][power - 1] ?? ""}`;
}

function decimalText(amount: QuantityAmount): string {
  const { isNegative, digits: shortest, scale } = digitsOf(amount);
  const surplus = ((scale % 3) + 3) % 3;
  const exponent = scale - surplus;
  const digits = `${isNegative ? "-" : ""}${shortest}${"0".repeat(surplus)}`;
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)?.[0];
  if (amount.format !== "DecimalExponent" && suffix !== undefined) return digits + suffix;
  return exponent === 0 ? digits : `${digits}e${exponent}`;
}

function areLong(left: QuantityAmount, right: QuantityAmount): boolean {
  const isFar = Math.abs(left.scale - right.scale) > LONG_DIGITS;
  return isFar || left instanceof LongAmount || right instanceof LongAmount;
}

function isZero(amount: QuantityAmount): boolean {
  return signOfAmount(amount) === 0;
}

function atScale({ unscaled, scale }: QuantityAmount, wanted: number): bigint {
  return unscaled * 10n ** BigInt(scale - wanted);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
