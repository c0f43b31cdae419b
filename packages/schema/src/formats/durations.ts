import { readBoundedInteger, readGoNanoseconds, skipDigits } from "@kubescaffold/platform";

const LARGEST_INT64 = 2n ** 63n - 1n;
const NANOS_PER_SECOND = 1_000_000_000n;

const WORDY_UNITS: readonly (readonly [exact: readonly string[], stem: string, nanos: bigint])[] = [
  [["ns"], "nano", 1n],
  [["us", "\u00b5s"], "micro", 1_000n],
  [["ms"], "milli", 1_000_000n],
  [["s"], "sec", NANOS_PER_SECOND],
  [["m"], "min", 60n * NANOS_PER_SECOND],
  [["h", "hr"], "hour", 3600n * NANOS_PER_SECOND],
  [["d"], "day", 86_400n * NANOS_PER_SECOND],
  [["w", "wk"], "week", 604_800n * NANOS_PER_SECOND],
];

/** Reads a value of the format `duration` as nanoseconds: as Go does, or in words, such as `2 days`; in linear time. */
export function readFormatNanoseconds(text: string): bigint | undefined {
  return readGoNanoseconds(text) ?? sumOfWords(text);
}

// Amounts of known units are added up, and any text between them is ignored.
function sumOfWords(text: string): bigint | undefined {
  let total: bigint | undefined;
  for (let at = 0; at < text.length;) {
    const digitsEnd = skipDigits(text, at);
    if (digitsEnd === at) {
      at++;
      continue;
    }
    const wordStart = skipSpaces(text, digitsEnd);
    const wordEnd = skipWord(text, wordStart);
    if (wordEnd > wordStart) {
      const amount = readBoundedInteger(text.slice(at, digitsEnd), LARGEST_INT64);
      if (amount === undefined) return undefined;
      const nanos = nanosOfWord(text.slice(wordStart, wordEnd).toLowerCase());
      if (nanos !== undefined) total = BigInt.asIntN(64, (total ?? 0n) + amount * nanos);
    }
    at = wordEnd;
  }
  return total;
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (at < text.length && "\t\n\f\r ".includes(text.charAt(at))) at++;
  return at;
}

function skipWord(text: string, start: number): number {
  let at = start;
  while (/[A-Za-z\u00b5]/.test(text.charAt(at))) at++;
  return at;
}

function nanosOfWord(word: string): bigint | undefined {
  return WORDY_UNITS.find(([exact, stem]) => exact.includes(word) || word.startsWith(stem))?.[2];
}
