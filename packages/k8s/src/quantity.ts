import { QuantityError } from "./errors.ts";

/** An amount in Kubernetes' notation: `100m`, `1.5`, `128Mi`, `1e3`. */
export type Quantity = string;

/** The notation of an amount: `12M`, `12Mi` or `12e6`. */
export type QuantityFormat = "DecimalSI" | "BinarySI" | "DecimalExponent";

/** An exact amount, `unscaled * 10^scale`, and its notation. */
export interface QuantityAmount {
  /** The digits as an integer. */
  readonly unscaled: bigint;
  /** The power of ten by which the digits are multiplied. */
  readonly scale: number;
  /** The family of suffixes that the quantity is printed with. */
  readonly format: QuantityFormat;
  /** The text it was read from, where upstream takes it for canonical as it is. */
  readonly text?: string;
}

const BINARY: ReadonlyMap<string, number> = new Map(["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"].map((s, i) => [s, i + 1]));
const DECIMAL: ReadonlyMap<string, number> = new Map(
  ["n", "u", "m", "", "k", "M", "G", "T", "P", "E"].map((s, i) => [s, 3 * i - 9]),
);
const SMALLEST_SCALE = -9;
const LARGEST_EXPONENT = 10_000;
const MAX_INT64 = 2n ** 63n - 1n;
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
  if (amount.unscaled === 0n) return "0";
  const whole = wholeValue(amount);
  const isBinary = amount.format === "BinarySI" && whole !== undefined && magnitude(whole) >= 1024n;
  return isBinary ? binaryText(whole) : decimalText(amount);
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
  const scale = Math.min(left.scale, right.scale);
  const difference = atScale(left, scale) - atScale(right, scale);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** Adds two amounts exactly. */
export function addAmounts(left: QuantityAmount, right: QuantityAmount): QuantityAmount {
  const scale = Math.min(left.scale, right.scale);
  const format = left.unscaled === 0n ? right.format : left.format;
  return { unscaled: atScale(left, scale) + atScale(right, scale), scale, format };
}

/** Returns the amount with the other sign. */
export function negateAmount({ unscaled, scale, format }: QuantityAmount): QuantityAmount {
  return { unscaled: -unscaled, scale, format };
}

/** Reports whether a quantity is zero, however it is written. */
export function isZeroQuantity(quantity: Quantity | number): boolean {
  return parseQuantity(quantity).unscaled === 0n;
}

/** Returns a quantity as a JavaScript number, the nearest there is. */
export function quantityToNumber(quantity: Quantity | number): number {
  const { unscaled, scale } = parseQuantity(quantity);
  return Number(`${unscaled}e${scale}`);
}

/**
 * Returns a quantity as a count of `10^scale`, fractions rounded away from zero as upstream's `Value` and `MilliValue`
 * (scale -3) do.
 */
export function quantityToBigInt(quantity: Quantity | number, scale: number = 0): bigint {
  return roundedUp(parseQuantity(quantity), scale).unscaled;
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
  const exact = exactly(parts, suffix);
  const amount = exact.unscaled === 0n ? { ...exact, scale: 0 } : roundedUp(exact, SMALLEST_SCALE);
  if (suffix.format !== "BinarySI") return amount;
  const positive = { ...amount, unscaled: magnitude(amount.unscaled) };
  if (compareAmounts(positive, { ...amount, unscaled: MAX_INT64, scale: 0 }) > 0) {
    return { unscaled: parts.sign * MAX_INT64, scale: 0, format: "BinarySI" };
  }
  const isFraction = positive.unscaled !== 0n && compareAmounts(positive, { ...amount, unscaled: 1n, scale: 0 }) < 0;
  return isFraction ? { ...amount, format: "DecimalSI" } : amount;
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
  let { unscaled, scale } = amount;
  while (unscaled % 10n === 0n) {
    unscaled /= 10n;
    scale++;
  }
  const surplus = ((scale % 3) + 3) % 3;
  const exponent = scale - surplus;
  const digits = `${unscaled * 10n ** BigInt(surplus)}`;
  const suffix = [...DECIMAL].find(([, power]) => power === exponent)?.[0];
  if (amount.format !== "DecimalExponent" && suffix !== undefined) return digits + suffix;
  return exponent === 0 ? digits : `${digits}e${exponent}`;
}

function atScale({ unscaled, scale }: QuantityAmount, wanted: number): bigint {
  return unscaled * 10n ** BigInt(scale - wanted);
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
