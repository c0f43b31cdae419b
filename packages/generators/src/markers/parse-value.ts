import type { ArgumentType, MarkerValue } from "./definitions/marker-definition.ts";
import { scanToken, skipBlanks, type Token } from "./scan-token.ts";

/** Why a value cannot be read, and where in the text. */
export interface ValueProblem {
  readonly message: string;
  readonly offset: number;
}

/** A value and the offset behind it, or what is wrong. */
type ParsedValue =
  | { readonly kind: "value"; readonly value: MarkerValue; readonly end: number }
  | { readonly kind: "problem"; readonly problem: ValueProblem };

/** Where and how a value is read. */
interface ParseValueOptions {
  readonly text: string;
  readonly offset: number;
  readonly type: ArgumentType;
  /** Whether the value is an element of a list, where `;` separates elements. */
  readonly isElement?: boolean;
}

const MAX_INTEGER = 2n ** 63n;
const DECIMAL = /^\d(?:_?\d)*$|^\d[\d_]*(?:\.[\d_]*)?(?:[eE][+-]?\d+)?$|^\.\d+(?:[eE][+-]?\d+)?$/u;

/** Reads one value of a marker: quoted and bare strings, numbers, lists in both notations, maps, and guessed values. */
export function parseValue(options: ParseValueOptions): ParsedValue {
  const { text, offset, type } = options;
  switch (type.kind) {
    case "string":
      return parseString(text, offset, false);
    case "integer":
      return parseInteger(text, offset);
    case "number":
      return parseNumber(text, offset);
    case "boolean":
      return parseBoolean(text, offset);
    case "list":
      return parseList(text, offset, type.items);
    default:
      return parseGuessed(text, offset, guessType(text, offset, options.isElement !== true));
  }
}

/** Says in words what a type of value is, for messages. */
export function describeType(type: ArgumentType): string {
  switch (type.kind) {
    case "string":
      return "a string";
    case "integer":
      return "an integer";
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "any":
      return "a value";
    default:
      return type.items.kind === "string" ? "a list of strings" : "a list";
  }
}

/** A type that was guessed from the text; maps exist only here. */
type GuessedType = ArgumentType | { readonly kind: "list"; readonly items: GuessedType } | { readonly kind: "map" };

function parseGuessed(text: string, offset: number, type: GuessedType): ParsedValue {
  if (type.kind === "map") return parseMap(text, offset);
  if (type.kind === "list") return parseList(text, offset, type.items);
  return parseValue({ text, offset, type });
}

function parseString(text: string, offset: number, isKey: boolean): ParsedValue {
  const first = scanToken(text, offset, { numbers: false });
  if (first.problem !== undefined) return problemAt(first.problem, first.start);
  if (first.kind === "string" || first.kind === "raw string") return found(unquote(first.text), first.end);
  if (first.kind === "end") return found("", first.end);
  if (isDelimiter(first.text, isKey))
    return problemAt(`expects a value before ${JSON.stringify(first.text)}`, first.start);
  return parseBareString(text, first, isKey);
}

function parseBareString(text: string, first: Token, isKey: boolean): ParsedValue {
  let end = first.end;
  for (;;) {
    const next = skipBlanks(text, end);
    if (next >= text.length) return found(text.slice(first.start, end), next);
    if (isDelimiter(text[next] ?? "", isKey)) {
      if (next > end)
        return problemAt(`has a blank before ${JSON.stringify(text[next])}; quote the value or remove the blank`, end);
      return found(text.slice(first.start, end), end);
    }
    const token = scanToken(text, next, { numbers: false });
    if (token.problem !== undefined) return problemAt(token.problem, token.start);
    end = token.end;
  }
}

function isDelimiter(character: string, isKey: boolean): boolean {
  return character === "," || character === ";" || character === "}" || (isKey && character === ":");
}

function parseInteger(text: string, offset: number): ParsedValue {
  const { sign, token } = scanSigned(text, offset);
  if (token.kind !== "integer" || token.problem !== undefined || !/^\d+$/u.test(token.text)) {
    return expected({ kind: "integer" }, text, offset);
  }
  const value = BigInt(sign + token.text.replace(/^0+(?=\d)/u, ""));
  if (value >= MAX_INTEGER || value < -MAX_INTEGER) return problemAt("is beyond the range of 64 bits", token.start);
  return found(Number.isSafeInteger(Number(value)) ? Number(value) : value, token.end);
}

function parseNumber(text: string, offset: number): ParsedValue {
  const { sign, token } = scanSigned(text, offset);
  const isNumber = token.kind === "integer" || token.kind === "float";
  if (!isNumber || token.problem !== undefined || !DECIMAL.test(token.text)) {
    return expected({ kind: "number" }, text, offset);
  }
  const value = Number(sign + token.text.replaceAll("_", ""));
  return Number.isFinite(value) ? found(value, token.end) : expected({ kind: "number" }, text, offset);
}

function scanSigned(text: string, offset: number): { readonly sign: string; readonly token: Token } {
  const isNegative = text[offset] === "-";
  return { sign: isNegative ? "-" : "", token: scanToken(text, isNegative ? offset + 1 : offset, { numbers: true }) };
}

function parseBoolean(text: string, offset: number): ParsedValue {
  const token = scanToken(text, offset, { numbers: true });
  if (token.text === "true" || token.text === "false") return found(token.text === "true", token.end);
  return expected({ kind: "boolean" }, text, offset);
}

function parseList(text: string, offset: number, items: GuessedType): ParsedValue {
  const start = skipBlanks(text, offset);
  return text[start] === "{" ? parseBracedList(text, start, items) : parseLegacyList(text, start, items);
}

function parseBracedList(text: string, start: number, items: GuessedType): ParsedValue {
  const values: MarkerValue[] = [];
  let position = skipBlanks(text, start + 1);
  while (position < text.length && text[position] !== "}") {
    const element = parseElement(text, position, items);
    if (element.kind === "problem") return element;
    values.push(element.value);
    position = skipBlanks(text, element.end);
    if (text[position] === "}") break;
    if (text[position] !== ",")
      return problemAt(`expects a comma or } in the list, found ${quoteRest(text, position)}`, position);
    position = skipBlanks(text, position + 1);
  }
  if (text[position] !== "}") return problemAt("expects a } at the end of the list", position);
  return found(values, position + 1);
}

function parseLegacyList(text: string, start: number, items: GuessedType): ParsedValue {
  const values: MarkerValue[] = [];
  let position = start;
  while (position < text.length && text[position] !== "," && text[position] !== "}") {
    const element = parseElement(text, position, items);
    if (element.kind === "problem") return element;
    values.push(element.value);
    position = skipBlanks(text, element.end);
    if (position >= text.length || text[position] === "," || text[position] === "}") break;
    if (text[position] !== ";")
      return problemAt(`expects a ; between list values, found ${quoteRest(text, position)}`, position);
    position = skipBlanks(text, position + 1);
  }
  return found(values, position);
}

function parseElement(text: string, offset: number, items: GuessedType): ParsedValue {
  return items.kind === "any"
    ? parseValue({ text, offset, type: items, isElement: true })
    : parseGuessed(text, offset, items);
}

function parseMap(text: string, offset: number): ParsedValue {
  const entries: [string, MarkerValue][] = [];
  let position = skipBlanks(text, skipBlanks(text, offset) + 1);
  while (position < text.length && text[position] !== "}") {
    const key = parseString(text, position, true);
    if (key.kind === "problem") return key;
    const colon = skipBlanks(text, key.end);
    if (text[colon] !== ":") return problemAt(`expects a colon after the key, found ${quoteRest(text, colon)}`, colon);
    const value = parseValue({ text, offset: skipBlanks(text, colon + 1), type: { kind: "any" } });
    if (value.kind === "problem") return value;
    entries.push([textOf(key), value.value]);
    position = skipBlanks(text, value.end);
    if (text[position] === "}") break;
    if (text[position] !== ",")
      return problemAt(`expects a comma or } in the map, found ${quoteRest(text, position)}`, position);
    position = skipBlanks(text, position + 1);
  }
  if (text[position] !== "}") return problemAt("expects a } at the end of the map", position);
  return found(Object.fromEntries(entries), position + 1);
}

// Follows upstream's order of trials, so that the same text becomes the same type.
function guessType(text: string, offset: number, allowList: boolean): GuessedType {
  if (allowList) {
    const items = guessType(text, offset, false);
    return endsInSemicolon(text, offset) ? { kind: "list", items } : items;
  }
  const start = skipBlanks(text, offset);
  const first = text[start] ?? "";
  if (first === '"' || first === "'" || first === "`") return { kind: "string" };
  if (first === "{") return guessBraces(text, start);
  const token = scanToken(text, start, { numbers: true });
  if (first === "t" || first === "f")
    return token.text === "true" || token.text === "false" ? { kind: "boolean" } : { kind: "string" };
  return guessNumber(text, token);
}

function guessNumber(text: string, first: Token): GuessedType {
  const token = first.text === "-" ? scanToken(text, first.end, { numbers: true }) : first;
  if ((token.kind !== "integer" && token.kind !== "float") || token.problem !== undefined) return { kind: "string" };
  const next = text[skipBlanks(text, token.end)];
  if (next !== undefined && !",;}".includes(next)) return { kind: "string" };
  return token.kind === "integer" ? { kind: "integer" } : { kind: "number" };
}

function guessBraces(text: string, start: number): GuessedType {
  const inner = skipBlanks(text, start + 1);
  const items = guessType(text, inner, false);
  if (items.kind !== "string") return { kind: "list", items };
  if (text[inner] === "}") return { kind: "map" };
  // A colon makes a map also where the key before it is missing or no good.
  const key = parseString(text, inner, true);
  const end = key.kind === "value" ? key.end : key.problem.offset;
  return text[skipBlanks(text, end)] === ":" ? { kind: "map" } : { kind: "list", items };
}

function endsInSemicolon(text: string, offset: number): boolean {
  let token = scanToken(text, offset, { numbers: true });
  while (token.kind !== "end" && token.text !== "," && token.text !== ";") {
    token = scanToken(text, token.end, { numbers: true });
  }
  return token.text === ";";
}

function expected(type: ArgumentType, text: string, offset: number): ParsedValue {
  return problemAt(`expects ${describeType(type)}, found ${quoteRest(text, offset)}`, offset);
}

function quoteRest(text: string, offset: number): string {
  const rest = text.slice(skipBlanks(text, offset));
  const end = /^(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^",;}])+/u.exec(rest)?.[0].trim() ?? rest.slice(0, 1);
  return rest === "" ? "nothing" : JSON.stringify(end);
}

function textOf(parsed: ParsedValue): string {
  return parsed.kind === "value" && typeof parsed.value === "string" ? parsed.value : "";
}

function found(value: MarkerValue, end: number): ParsedValue {
  return { kind: "value", value, end };
}

function problemAt(message: string, offset: number): ParsedValue {
  return { kind: "problem", problem: { message, offset } };
}

const SIMPLE: Readonly<Record<string, number>> = { a: 7, b: 8, f: 12, n: 10, r: 13, t: 9, v: 11, "\\": 92, '"': 34 };
const ESCAPE = /\\(?:([abfnrtv\\"])|([0-7]{3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8}))/gu;

/**
 * Returns what a quoted token of Go stands for: `"…"` with escapes, `` `…` `` as it is.
 *
 * Guarantees: escapes of single bytes that together are UTF-8 make one character; bytes that are not become U+FFFD.
 */
function unquote(token: string): string {
  const body = token.slice(1, -1);
  if (token.startsWith("`")) return body.replaceAll("\r", "");
  if (!body.includes("\\")) return body;
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Uint8Array.from(bytesOf(body)));
}

function* bytesOf(body: string): Iterable<number> {
  const encoder = new TextEncoder();
  let position = 0;
  for (const match of body.matchAll(ESCAPE)) {
    yield* encoder.encode(body.slice(position, match.index));
    yield* bytesOfEscape(match);
    position = match.index + match[0].length;
  }
  yield* encoder.encode(body.slice(position));
}

function bytesOfEscape(match: RegExpExecArray): Iterable<number> {
  const [, simple, octal, hex, short, long] = match;
  if (simple !== undefined) return [SIMPLE[simple] ?? 0];
  if (octal !== undefined) return [Number.parseInt(octal, 8) & 255];
  if (hex !== undefined) return [Number.parseInt(hex, 16)];
  const codePoint = Number.parseInt(short ?? long ?? "fffd", 16);
  const isCharacter = codePoint <= 0x10ffff && (codePoint < 0xd800 || codePoint > 0xdfff);
  return new TextEncoder().encode(String.fromCodePoint(isCharacter ? codePoint : 0xfffd));
}
