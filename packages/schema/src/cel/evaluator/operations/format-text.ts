import { goQuote } from "@kubescaffold/k8s";

import { elementsOf } from "../../values/cel-list.ts";
import { formatDouble, formatFixed, formatScientific } from "../../values/cel-number.ts";
import { CelDuration, CelTimestamp } from "../../values/cel-time.ts";
import { CelError, CelList, CelMap, CelUint, type CelValue, LONGEST_TEXT, tooLong } from "../../values/cel-value.ts";
import { CelTypeValue, runtimeType } from "../../values/runtime-type.ts";

/** Fills a text of `%s`, `%d`, `%f`, … as cel-go does; an error where a clause and its argument do not fit. */
export function formatText(format: string, args: CelList): CelValue {
  let text = "";
  let next = 0;
  let index = 0;
  while (index < format.length) {
    const clause = readClause(format, index);
    if (clause === undefined) {
      const end = format.indexOf("%", index);
      const plain = end === -1 ? format.length : end;
      text += format.slice(index, plain);
      index = plain;
      continue;
    }
    if (clause.verb === "%") text += "%";
    else {
      if (next >= args.length) return new CelError(`index ${String(next)} out of range`);
      const part = formatClause(clause, args.at(next++));
      if (part instanceof CelError) return part;
      text += part;
    }
    if (text.length > LONGEST_TEXT) return tooLong();
    index += clause.length;
  }
  return text;
}

/** One clause of a format; without a verb the format ends too early. */
export interface Clause {
  readonly verb: string;
  readonly precision: number | undefined;
  readonly length: number;
  readonly problem: string | undefined;
}

/** Reads the clause at a place, or returns undefined where there is none. */
export function readClause(format: string, index: number): Clause | undefined {
  if (format[index] !== "%") return undefined;
  if (format[index + 1] === "%") return { verb: "%", precision: undefined, length: 2, problem: undefined };
  const { digits, verb = "" } = /^%(?:\.(?<digits>\d*))?(?<verb>[^])?/.exec(format.slice(index))?.groups ?? {};
  const length = 1 + (digits === undefined ? 0 : digits.length + 1) + verb.length;
  return {
    verb,
    precision: digits === undefined ? undefined : Number(digits),
    length,
    problem: problemOf(verb, digits),
  };
}

function problemOf(verb: string, digits: string | undefined): string | undefined {
  if (verb === "" && digits === undefined) return "unexpected end of string";
  const prefix = "could not parse formatting clause: ";
  if (verb === "") return `${prefix}error while parsing precision: could not find end of precision specifier`;
  if (digits === "") {
    const reason = 'strconv.Atoi: parsing "": invalid syntax';
    return `${prefix}error while parsing precision: error while converting precision to integer: ${reason}`;
  }
  return "sdfebxXo".includes(verb) ? undefined : `${prefix}unrecognized formatting clause "${verb}"`;
}

const DEFAULT_PRECISION = 6;

function formatClause({ verb, precision = DEFAULT_PRECISION, problem }: Clause, value: CelValue): string | CelError {
  if (problem !== undefined) return new CelError(problem);
  if (value instanceof CelError) return value;
  if (precision > LONGEST_TEXT) return tooLong();
  const text = formatAs(verb, value, precision);
  if (text instanceof CelError) return text;
  return text ?? new CelError(`error during formatting: ${clauseProblem(verb, runtimeType(value).name)}`);
}

/** Describes what a clause cannot be used on. */
export function clauseProblem(verb: string, type: string): string {
  return `${CLAUSE_PROBLEMS[verb.toLowerCase()] ?? ""}, was given ${type}`;
}

const CLAUSE_PROBLEMS: Readonly<Record<string, string>> = {
  s: "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps",
  d: "decimal clause can only be used on integers",
  f: "fixed-point clause can only be used on doubles",
  e: "scientific clause can only be used on doubles",
  b: "only integers and bools can be formatted as binary",
  x: "only integers, byte buffers, and strings can be formatted as hex",
  o: "octal clause can only be used on integers",
};

function formatAs(verb: string, value: CelValue, precision: number): string | CelError | undefined {
  switch (verb) {
    case "s":
      return textOf(value);
    case "d":
      return wholeOf(value)?.toString();
    case "f":
      return withDouble(value, (number) => formatFixed(number, precision));
    case "e":
      return withDouble(value, formatScientific);
    case "b":
      return typeof value === "boolean" ? (value ? "1" : "0") : wholeOf(value)?.toString(2);
    case "x":
      return hexOf(value);
    case "X":
      return hexOf(value)?.toUpperCase();
    default:
      return wholeOf(value)?.toString(8);
  }
}

function wholeOf(value: CelValue): bigint | undefined {
  if (value instanceof CelUint) return value.value;
  return typeof value === "bigint" ? value : undefined;
}

const WORDS: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
};

function withDouble(value: CelValue, work: (number: number) => string): string | undefined {
  const number = typeof value === "string" ? WORDS[value] : value;
  return typeof number === "number" ? work(number) : undefined;
}

function hexOf(value: CelValue): string | undefined {
  if (typeof value === "string") return Buffer.from(value, "utf8").toString("hex");
  return value instanceof Uint8Array ? Buffer.from(value).toString("hex") : wholeOf(value)?.toString(16);
}

function textOf(value: CelValue): string | CelError | undefined {
  if (value === null) return "null";
  if (typeof value === "number") return formatDouble(value);
  if (typeof value !== "object") return String(value);
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  if (value instanceof CelList) return listText(value);
  if (value instanceof CelMap) return mapText(value);
  const isWritable = value instanceof CelDuration || value instanceof CelTimestamp || value instanceof CelTypeValue;
  return isWritable ? String(value) : undefined;
}

function listText(list: CelList): string | CelError {
  const parts: string[] = [];
  let length = 0;
  for (const element of elementsOf(list)) {
    const part = nestedText(element);
    if (part instanceof CelError) return part;
    length += part.length;
    if (length > LONGEST_TEXT) return tooLong();
    parts.push(part);
  }
  return `[${parts.join(", ")}]`;
}

function mapText(map: CelMap): string | CelError {
  const parts: (readonly [string, string])[] = [];
  let length = 0;
  for (const key of map.keys()) {
    const [keyText, valueText] = [nestedText(key), nestedText(map.find(key) ?? null)];
    if (keyText instanceof CelError) return keyText;
    if (valueText instanceof CelError) return valueText;
    length += keyText.length + valueText.length;
    if (length > LONGEST_TEXT) return tooLong();
    parts.push([keyText, valueText]);
  }
  parts.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return `{${parts.map(([key, value]) => `${key}:${value}`).join(", ")}}`;
}

// Inside lists and maps texts are quoted, and times say what they are.
function nestedText(value: CelValue): string | CelError {
  if (typeof value === "number") return formatNestedDouble(value);
  if (typeof value === "string") return goQuote(value);
  if (value instanceof Uint8Array) return `b${goQuote(new TextDecoder().decode(value))}`;
  if (value instanceof CelDuration) return `duration("${String(value)}")`;
  if (value instanceof CelTimestamp) return `timestamp("${String(value)}")`;
  return (
    textOf(value) ?? new CelError(`error during formatting: no formatting function for ${runtimeType(value).name}`)
  );
}

function formatNestedDouble(value: number): string {
  if (Number.isFinite(value)) return formatFixed(value, DEFAULT_PRECISION).replaceAll(",", "");
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"+Inf"' : '"-Inf"';
}
