// Where a search may compare more, it keeps a table of the part instead, which takes time in proportion to both.
const MOST_COMPARISONS = 2 ** 22;

/** Returns the first place of a part at or after a place, or -1. Guarantees: takes time in proportion to both texts. */
export function findText(text: string, part: string, from: number = 0): number {
  if (isCheap(text, part)) return text.indexOf(part, from);
  let found = -1;
  search(text, part, from, (at) => {
    found = at;
    return false;
  });
  return found;
}

/** Returns the last place of a part at or before a place, or -1. Guarantees: takes time in proportion to both texts. */
export function findLastText(text: string, part: string, from: number): number {
  if (isCheap(text, part)) return text.lastIndexOf(part, from);
  let found = -1;
  search(text.slice(0, from + part.length), part, 0, (at) => {
    found = at;
    return true;
  });
  return found;
}

/** Splits a text around a part that is not empty. Guarantees: takes time in proportion to both texts. */
export function splitText(text: string, separator: string): readonly string[] {
  if (isCheap(text, separator)) return text.split(separator);
  const pieces: string[] = [];
  let start = 0;
  search(text, separator, 0, (at) => {
    if (at >= start) {
      pieces.push(text.slice(start, at));
      start = at + separator.length;
    }
    return true;
  });
  return [...pieces, text.slice(start)];
}

// The search of the engine compares whole parts again at each place of a text such as `aaa…`.
function isCheap(text: string, part: string): boolean {
  return text.length * part.length <= MOST_COMPARISONS;
}

// The algorithm of Knuth, Morris, and Pratt; visits all places, those that overlap included, until it need not go on.
function search(text: string, part: string, from: number, goesOn: (at: number) => boolean): void {
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = Math.max(0, from); index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (part.charCodeAt(matched) === unit) matched += 1;
    if (matched < part.length) continue;
    if (!goesOn(index - part.length + 1)) return;
    matched = borders[matched - 1] ?? 0;
  }
}

// For each start of a part, the length of the longest text that it both starts and ends with.
function bordersOf(part: string): Uint32Array {
  const borders = new Uint32Array(part.length);
  let length = 0;
  for (let index = 1; index < part.length; index++) {
    const unit = part.charCodeAt(index);
    while (length > 0 && part.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (part.charCodeAt(length) === unit) length += 1;
    borders[index] = length;
  }
  return borders;
}
