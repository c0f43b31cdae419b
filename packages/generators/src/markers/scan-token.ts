/** One word of a marker's text. */
export interface Token {
  readonly kind: "identifier" | "integer" | "float" | "string" | "raw string" | "character" | "end";
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** What is wrong inside the token, if anything. */
  readonly problem?: string;
}

export interface ScanOptions {
  /** Whether digits make up numbers; without it each digit is its own character. */
  readonly numbers: boolean;
}

const IDENTIFIER = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]*(?:\.[\da-fA-F_]*)?(?:[pP][+-]?[\d_]*)?|(?:0[bBoO][\d_]*|\d[\d_]*)(?:\.[\d_]*)?(?:[eEpP][+-]?[\d_]*)?|\.\d[\d_]*(?:[eEpP][+-]?[\d_]*)?/uy;
const VALID_INTEGER = /^(?:[1-9](?:_?\d)*|0(?:_?[0-7])*|0[xX](?:_?[\da-fA-F])+|0[bB](?:_?[01])+|0[oO](?:_?[0-7])+)$/u;
const VALID_FLOAT =
  /^(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$|^0[xX].*[pP][+-]?\d+$/u;
const ESCAPE = /\\(?:[abfnrtv\\"]|[0-7]{3}|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8})/uy;

/**
 * Reads the token at or after an offset, by the rules of Go's `text/scanner` without comments and character literals.
 */
export function scanToken(text: string, offset: number, { numbers }: ScanOptions): Token {
  const start = skipBlanks(text, offset);
  const first = text[start];
  if (first === undefined) return { kind: "end", text: "", start, end: start };
  if (first === '"') return scanString(text, start);
  if (first === "`") return scanRawString(text, start);
  const identifier = matchAt(IDENTIFIER, text, start);
  if (identifier !== undefined) return tokenOf("identifier", identifier, start);
  const number = numbers ? matchAt(NUMBER, text, start) : undefined;
  if (number !== undefined) return numberToken(number, start);
  return tokenOf("character", String.fromCodePoint(text.codePointAt(start) ?? 0), start);
}

/** Returns the offset of the first character at or after an offset that is not a blank. */
export function skipBlanks(text: string, offset: number): number {
  let position = offset;
  while (" \t\n\r".includes(text[position] ?? "x")) position += 1;
  return position;
}

function numberToken(text: string, start: number): Token {
  const isFloat = /^0[xX]/u.test(text) ? /[.pP]/u.test(text) : /[.eEpP]/u.test(text);
  const isValid = (isFloat ? VALID_FLOAT : VALID_INTEGER).test(text);
  const token = tokenOf(isFloat ? "float" : "integer", text, start);
  return isValid ? token : { ...token, problem: `${JSON.stringify(text)} is not a number` };
}

function scanString(text: string, start: number): Token {
  let position = start + 1;
  let problem: string | undefined;
  while (text[position] !== '"') {
    if (position >= text.length || text[position] === "\n") {
      return { ...tokenOf("string", text.slice(start, position), start), problem: 'the closing " is missing' };
    }
    if (text[position] !== "\\") {
      position += 1;
      continue;
    }
    const escape = matchAt(ESCAPE, text, position);
    problem ??=
      escape === undefined ? `${text.slice(position, position + 2)} is not an escape of a quoted string` : undefined;
    position += escape?.length ?? 2;
  }
  const token = tokenOf("string", text.slice(start, position + 1), start);
  return problem === undefined ? token : { ...token, problem };
}

function scanRawString(text: string, start: number): Token {
  const close = text.indexOf("`", start + 1);
  if (close !== -1) return tokenOf("raw string", text.slice(start, close + 1), start);
  return { ...tokenOf("raw string", text.slice(start), start), problem: "the closing ` is missing" };
}

function tokenOf(kind: Token["kind"], text: string, start: number): Token {
  return { kind, text, start, end: start + text.length };
}

function matchAt(pattern: RegExp, text: string, offset: number): string | undefined {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0];
}
