const INT64_LIMIT = 2n ** 63n;
const NANOS_PER_SECOND = 1_000_000_000n;

const GO_UNITS: ReadonlyMap<string, bigint> = new Map([
  ["ns", 1n],
  ["us", 1_000n],
  ["\u00b5s", 1_000n],
  ["\u03bcs", 1_000n],
  ["ms", 1_000_000n],
  ["s", NANOS_PER_SECOND],
  ["m", 60n * NANOS_PER_SECOND],
  ["h", 3600n * NANOS_PER_SECOND],
]);

/** Reads a duration of Go (`1h30m`, `-1.5s`) as nanoseconds, in linear time; undefined for any other text. */
export function readGoNanoseconds(text: string): bigint | undefined {
  const isSigned = text.startsWith("-") || text.startsWith("+");
  const rest = isSigned ? text.slice(1) : text;
  const total = rest === "0" ? 0n : sumOfParts(rest);
  if (total === undefined || text === "" || rest === "") return undefined;
  if (text.startsWith("-")) return BigInt.asIntN(64, -total);
  return total === INT64_LIMIT ? undefined : total;
}

function sumOfParts(text: string): bigint | undefined {
  let total = 0n;
  for (let at = 0; at < text.length;) {
    const part = readPart(text, at);
    if (part === undefined) return undefined;
    // Two halves of the range wrap around to zero, which Go accepts.
    total = BigInt.asUintN(64, total + part.nanos);
    if (total > INT64_LIMIT) return undefined;
    at = part.end;
  }
  return total;
}

function readPart(text: string, start: number): { readonly nanos: bigint; readonly end: number } | undefined {
  const wholeEnd = skipDigits(text, start);
  const hasPoint = text[wholeEnd] === ".";
  const fractionEnd = hasPoint ? skipDigits(text, wholeEnd + 1) : wholeEnd;
  const hasDigits = wholeEnd > start || fractionEnd > wholeEnd + 1;
  const end = skipUnit(text, fractionEnd);
  const unit = GO_UNITS.get(text.slice(fractionEnd, end));
  const whole = boundedInteger(text.slice(start, wholeEnd), INT64_LIMIT);
  if (!hasDigits || unit === undefined || whole === undefined || whole > INT64_LIMIT / unit) return undefined;
  const nanos = whole * unit + fractionOf(text.slice(wholeEnd + 1, fractionEnd), unit);
  return nanos > INT64_LIMIT ? undefined : { nanos, end };
}

function skipDigits(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function skipUnit(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== "." && !isDigit(text.charCodeAt(at))) at++;
  return at;
}

// Digits in any number are read in linear time: a long number is out of bounds by its length.
function boundedInteger(digits: string, limit: bigint): bigint | undefined {
  const significant = withoutLeadingZeros(digits);
  if (significant.length > 19) return undefined;
  const value = BigInt(significant === "" ? "0" : significant);
  return value > limit ? undefined : value;
}

function withoutLeadingZeros(digits: string): string {
  let zeros = 0;
  while (digits[zeros] === "0") zeros++;
  return digits.slice(zeros);
}

const LARGEST_DECIMAL_EXPONENT = 309;

// Go computes a fraction in floating point, from as many digits as its integer holds.
function fractionOf(digits: string, unit: bigint): bigint {
  const significant = withoutLeadingZeros(digits);
  if (significant === "") return 0n;
  const longest = significant.slice(0, 19);
  const read = BigInt(longest) > INT64_LIMIT ? longest.slice(0, 18) : longest;
  const exponent = Math.min(digits.length - significant.length + read.length, LARGEST_DECIMAL_EXPONENT);
  let scale = 1;
  for (let index = 0; index < exponent; index++) scale *= 10;
  return BigInt(Math.trunc(Number(BigInt(read)) * (Number(unit) / scale)));
}

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
    if (!isDigit(text.charCodeAt(at))) {
      at++;
      continue;
    }
    const digitsEnd = skipDigits(text, at);
    const wordStart = skipSpaces(text, digitsEnd);
    const wordEnd = skipWord(text, wordStart);
    if (wordEnd > wordStart) {
      const amount = boundedInteger(text.slice(at, digitsEnd), INT64_LIMIT - 1n);
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
