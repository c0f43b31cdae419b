/** Returns the position after the decimal digits that start at a position. */
export function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

/** Reports whether a character code is that of a decimal digit. */
export function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/**
 * Reads decimal digits as an integer, none of them as zero; undefined beyond a limit of at most 19 digits.
 *
 * Guarantees: linear time in any number of digits, since a long number is out of bounds by its length.
 */
export function readBoundedInteger(digits: string, limit: bigint): bigint | undefined {
  const significant = withoutLeadingZeros(digits);
  if (significant.length > 19) return undefined;
  const value = BigInt(significant === "" ? "0" : significant);
  return value > limit ? undefined : value;
}

/** Returns decimal digits without the zeros at their start. */
export function withoutLeadingZeros(digits: string): string {
  let zeros = 0;
  while (digits[zeros] === "0") zeros++;
  return digits.slice(zeros);
}
