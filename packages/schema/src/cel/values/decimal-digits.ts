/** Returns the fewest digits that tell a positive double from all others, and the power of ten of the first. */
export function shortestDigits(value: number): { readonly digits: string; readonly exponent: number } {
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

/** Writes a non-negative double with a number of digits after the point, exactly, and half to even. */
export function exactFixed(value: number, precision: number): string {
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
