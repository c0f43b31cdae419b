import { compareNumbers, isNumber } from "./cel-number.ts";
import { CelError, CelObject, type CelUint, type CelValue } from "./cel-value.ts";

/** Reports whether two values are equal; an error where they cannot be compared. */
export function equalValues(left: CelValue, right: CelValue): boolean | CelError {
  if (left === null || right === null) return left === right;
  return equalAs(left, right);
}

/** Compares as the left value sees it; null is nothing special here. */
export function equalAs(left: CelValue, right: CelValue): boolean | CelError {
  if (left instanceof CelError) return left;
  if (left instanceof CelObject) return left.equals(right);
  if (isNumber(left)) return isNumber(right) && !isNan(left) && !isNan(right) && compareNumbers(left, right) === 0;
  if (left instanceof Uint8Array) return right instanceof Uint8Array && compareBytes(left, right) === 0;
  return left === right;
}

function isNan(value: bigint | CelUint | number): boolean {
  return Number.isNaN(value);
}

export function compareBytes(left: Uint8Array, right: Uint8Array): -1 | 0 | 1 {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const difference = (left[index] ?? 0) - (right[index] ?? 0);
    if (difference !== 0) return difference < 0 ? -1 : 1;
  }
  return left.length === right.length ? 0 : left.length < right.length ? -1 : 1;
}

/** Orders texts by code points, as Go orders their bytes. */
export function compareTexts(left: string, right: string): -1 | 0 | 1 {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)];
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? (a < b ? -1 : 1) : isSurrogate(a) ? 1 : -1;
  }
  return left.length < right.length ? -1 : 1;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

export function noSuchOverload(): CelError {
  return new CelError("no such overload");
}
