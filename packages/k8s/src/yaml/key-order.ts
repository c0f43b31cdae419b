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
  return comparePoints(codePoints(left), codePoints(right));
}

type Points = readonly number[];

function comparePoints(a: Points, b: Points): number {
  const index = divergence(a, b);
  return index < Math.min(a.length, b.length) ? compareAt(a, b, index) : a.length - b.length;
}

// The first index at which one of two keys has another character, or none.
function divergence(a: Points, b: Points): number {
  const shorter = Math.min(a.length, b.length);
  let index = 0;
  while (index < shorter && a[index] === b[index]) index += 1;
  return index;
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

/** Reports whether no three keys go round in a circle. Comparing all pairs would take hours for the keys of one large object. */
function isConsistent(keys: readonly string[]): boolean {
  const groups: (readonly Points[])[] = [keys.filter((key) => DIGIT.test(key)).map(codePoints)];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    // Keys with the same start are compared where they diverge: letters come last, and the others by the numbers that begin there.
    if (group.length < 3) continue;
    const index = commonLength(group);
    const parts = byCharacterAt(group, index);
    if (!areApart(parts, index)) return false;
    groups.push(...parts.values());
  }
  return true;
}

function commonLength(group: readonly Points[]): number {
  const first = group[0] ?? [];
  return group.reduce((length, points) => Math.min(length, divergence(first, points)), first.length);
}

// A key that ends there comes before all others.
function byCharacterAt(group: readonly Points[], index: number): ReadonlyMap<number, Points[]> {
  const parts = new Map<number, Points[]>();
  for (const points of group) {
    const character = points[index];
    if (character === undefined) continue;
    const part = parts.get(character);
    if (part === undefined) parts.set(character, [points]);
    else part.push(points);
  }
  return parts;
}

/** A key by the number that begins at a place. */
interface Numbered {
  readonly points: Points;
  readonly character: number;
  readonly run: { readonly value: bigint; readonly length: number };
  /** The numbers of keys before it, of all and of those with the same character. */
  rank: number;
  ownRank: number;
}

// The order of keys with the same character at a place depends on what follows. Where it is not that of their numbers, no key of another character may be between them.
function areApart(parts: ReadonlyMap<number, readonly Points[]>, index: number): boolean {
  const mixed = [...parts].filter(([character]) => !isLetter(character));
  if (mixed.length < 2) return true;
  const start = continuesNumber(mixed[0]?.[1][0] ?? [], index) ? 1n : 0n;
  const numbered = mixed.map(([character, part]) =>
    part.map((points): Numbered => ({ points, character, run: digitRun(points, index, start), rank: 0, ownRank: 0 })),
  );
  rankByNumber(numbered.flat());
  return numbered.every((part) => {
    let last: Numbered | undefined;
    return part
      .toSorted((left, right) => comparePoints(left.points, right.points))
      .every((key) => {
        const isApart = last === undefined || last.rank - key.rank <= Math.max(last.ownRank - key.ownRank, 0);
        if (last === undefined || key.rank > last.rank) last = key;
        return isApart;
      });
  });
}

function rankByNumber(all: Numbered[]): void {
  const counts = new Map<number, number>();
  all.sort(compareNumbered).forEach((key, rank) => {
    const ownRank = counts.get(key.character) ?? 0;
    counts.set(key.character, ownRank + 1);
    Object.assign(key, { rank, ownRank });
  });
}

function compareNumbered(left: Numbered, right: Numbered): number {
  if (left.run.value !== right.run.value) return left.run.value < right.run.value ? -1 : 1;
  return left.run.length - right.run.length || left.character - right.character;
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
