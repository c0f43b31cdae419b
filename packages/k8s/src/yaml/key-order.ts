const LETTER = /\p{L}/u;
const DIGIT = /\p{Nd}/u;
// Most keys are words of letters alone, which compare as they stand.
const WORD = /^[A-Za-z]+$/;
const ZERO = 0x30;

/**
 * Sorts mapping keys as yaml.v2 prints them: numbers inside a key by value, other characters before letters.
 *
 * Guarantees: the same keys give the same order, whatever order they come in, also where upstream's comparison
 * goes round in a circle (`v1beta1`, `v2`, `v10`).
 */
export function sortYamlKeys(keys: readonly string[]): string[] {
  const sorted = keys.toSorted(compareYamlKeys);
  return isConsistent(sorted) ? sorted : keys.toSorted(compareNaturally);
}

/** Compares two mapping keys as yaml.v2 does. */
export function compareYamlKeys(left: string, right: string): number {
  if (left === right) return 0;
  if (WORD.test(left) && WORD.test(right)) return left < right ? -1 : 1;
  const a = codePoints(left);
  const b = codePoints(right);
  const shorter = Math.min(a.length, b.length);
  for (let index = 0; index < shorter; index++) {
    if (a[index] !== b[index]) return compareAt(a, b, index);
  }
  return a.length - b.length;
}

function compareAt(a: readonly number[], b: readonly number[], index: number): number {
  const x = a[index] ?? 0;
  const y = b[index] ?? 0;
  const xIsLetter = isLetter(x);
  const yIsLetter = isLetter(y);
  if (xIsLetter !== yIsLetter) return yIsLetter ? -1 : 1;
  if (xIsLetter) return x - y;
  const start = (x === ZERO || y === ZERO) && continuesNumber(a, index) ? 1n : 0n;
  const left = digitRun(a, index, start);
  const right = digitRun(b, index, start);
  if (left.value !== right.value) return left.value < right.value ? -1 : 1;
  return left.length !== right.length ? left.length - right.length : x - y;
}

// Tells 10 from 01: a zero that follows other digits weighs, one that leads does not.
function continuesNumber(points: readonly number[], index: number): boolean {
  for (let before = index - 1; before >= 0 && isDigit(points[before] ?? 0); before--) {
    if (points[before] !== ZERO) return true;
  }
  return false;
}

function digitRun(points: readonly number[], index: number, start: bigint): { value: bigint; length: number } {
  let value = start;
  let length = 0;
  for (let point = points[index]; point !== undefined && isDigit(point); point = points[index + length]) {
    value = BigInt.asIntN(64, value * 10n + BigInt(point - ZERO));
    length++;
  }
  return { value, length };
}

function isConsistent(sorted: readonly string[]): boolean {
  const withDigits = sorted.filter((key) => DIGIT.test(key));
  return withDigits.every((key, index) =>
    withDigits.slice(index + 1).every((later) => compareYamlKeys(key, later) < 0),
  );
}

// A total order: digit runs are compared as integers, even where one of the two goes on with letters.
function compareNaturally(left: string, right: string): number {
  const a = left.match(/\d+|\D/gu) ?? [];
  const b = right.match(/\d+|\D/gu) ?? [];
  for (let index = 0; index < Math.min(a.length, b.length); index++) {
    const difference = compareTokens(a[index] ?? "", b[index] ?? "");
    if (difference !== 0) return difference;
  }
  return a.length - b.length || (left < right ? -1 : Number(left !== right));
}

function compareTokens(x: string, y: string): number {
  if (x === y) return 0;
  const byLetter = Number(LETTER.test(x)) - Number(LETTER.test(y));
  if (byLetter !== 0) return byLetter;
  const byNumber = Number(/\d/.test(x)) - Number(/\d/.test(y));
  if (byNumber !== 0) return byNumber;
  if (!/\d/.test(x)) return (x.codePointAt(0) ?? 0) - (y.codePointAt(0) ?? 0);
  const difference = BigInt(x) - BigInt(y);
  return difference === 0n ? x.length - y.length : difference < 0n ? -1 : 1;
}

function codePoints(text: string): readonly number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function isLetter(point: number): boolean {
  if (point < 0x80) return (point >= 0x61 && point <= 0x7a) || (point >= 0x41 && point <= 0x5a);
  return LETTER.test(String.fromCodePoint(point));
}

function isDigit(point: number): boolean {
  if (point < 0x80) return point >= ZERO && point <= 0x39;
  return DIGIT.test(String.fromCodePoint(point));
}
