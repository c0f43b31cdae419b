const MAX_JSON_FLOAT = 2 ** 53 - 1;
const EPSILON = 1e-9;

/** Says whether a float counts as a whole number upstream: exactly, or but for rounding. */
export function isWholeFloat(value: number): boolean {
  if (!Number.isFinite(value) || Math.abs(value) > MAX_JSON_FLOAT) {
    return false;
  }
  const whole = Math.trunc(value);
  if (value === whole) {
    return true;
  }
  if (whole <= 0) {
    return false;
  }
  return Math.abs(value - whole) / (Math.abs(value) + Math.abs(whole)) < EPSILON;
}
