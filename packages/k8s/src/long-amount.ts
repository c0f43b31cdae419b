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

/** The digits from which an amount is compared and printed as text, since the conversion of texts to integers takes more than linear time. */
export const LONG_DIGITS = 1000;

/** The digits of an amount, and the power of ten by which they are multiplied. */
export interface Digits {
  readonly isNegative: boolean;
  /** Without leading and trailing zeros; empty for zero. */
  readonly digits: string;
  readonly scale: number;
}

/** An amount of many digits, which becomes an integer only where one is needed. */
export class LongAmount implements QuantityAmount, Digits {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly scale: number;
  readonly format: QuantityFormat;
  #unscaled: bigint | undefined;

  constructor({ isNegative, digits, scale }: Digits, format: QuantityFormat) {
    this.isNegative = isNegative;
    this.digits = digits;
    this.scale = scale;
    this.format = format;
  }

  get unscaled(): bigint {
    return (this.#unscaled ??= (this.isNegative ? -1n : 1n) * BigInt(this.digits));
  }

  negated(): LongAmount {
    return new LongAmount({ isNegative: !this.isNegative, digits: this.digits, scale: this.scale }, this.format);
  }
}

/** Returns the digits of an amount. */
export function digitsOf(amount: QuantityAmount): Digits {
  if (amount instanceof LongAmount) return amount;
  const isNegative = amount.unscaled < 0n;
  const digits = String(isNegative ? -amount.unscaled : amount.unscaled);
  return { isNegative, ...withoutZeros(digits, amount.scale) };
}

/** Moves the zeros at the end of digits to the scale; digits have no zeros at the start, except for zero itself. */
export function withoutZeros(digits: string, scale: number): Omit<Digits, "isNegative"> {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "0") end -= 1;
  return { digits: digits.slice(0, end), scale: end === 0 ? 0 : scale + digits.length - end };
}

/** Adds one to digits. */
export function incremented(digits: string, scale: number): Omit<Digits, "isNegative"> {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === "9") end -= 1;
  const last = end === 0 ? 0 : Number(digits[end - 1]);
  return { digits: digits.slice(0, Math.max(0, end - 1)) + String(last + 1), scale: scale + digits.length - end };
}

/** Compares two amounts by their digits: negative, 0 or positive. */
export function compareDigits(left: Digits, right: Digits): number {
  const sign = left.isNegative ? -1 : 1;
  if (left.digits === "" || right.digits === "" || left.isNegative !== right.isNegative) {
    return signOf(left) - signOf(right);
  }
  const longer = left.digits.length + left.scale - (right.digits.length + right.scale);
  if (longer !== 0) return sign * longer;
  return left.digits === right.digits ? 0 : left.digits < right.digits ? -sign : sign;
}

/** Adds two amounts by their digits. */
export function addDigits(left: Digits, right: Digits): Digits {
  const scale = Math.min(left.scale, right.scale);
  const [a, b] = [limbsAt(left, scale), limbsAt(right, scale)];
  const isSum = left.isNegative === right.isNegative;
  const isLess = !isSum && compareDigits({ ...left, isNegative: false }, { ...right, isNegative: false }) < 0;
  const [more, less] = isLess ? [b, a] : [a, b];
  let carry = 0;
  const limbs = Array.from({ length: Math.max(a.length, b.length) + 1 }, (_, index) => {
    const sum = (more[index] ?? 0) + (isSum ? 1 : -1) * (less[index] ?? 0) + carry;
    carry = Math.floor(sum / LIMB);
    return sum - carry * LIMB;
  });
  const texts = limbs.toReversed().map((limb) => String(limb).padStart(LIMB_DIGITS, "0"));
  const digits = withoutZeros(texts.join("").replace(/^0+/, ""), scale);
  return { isNegative: digits.digits !== "" && (isLess ? right : left).isNegative, ...digits };
}

const LIMB_DIGITS = 15;
const LIMB = 10 ** LIMB_DIGITS;

// The last digits come first.
function limbsAt({ digits, scale }: Digits, wanted: number): readonly number[] {
  const text = digits + "0".repeat(scale - wanted);
  const limbs: number[] = [];
  for (let end = text.length; end > 0; end -= LIMB_DIGITS) {
    limbs.push(Number(text.slice(Math.max(0, end - LIMB_DIGITS), end)));
  }
  return limbs;
}

function signOf({ digits, isNegative }: Digits): number {
  return digits === "" ? 0 : isNegative ? -1 : 1;
}
