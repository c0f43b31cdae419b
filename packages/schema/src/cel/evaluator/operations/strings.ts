import { CelArray } from "../../values/cel-list.ts";
import { formatKey } from "../../values/cel-map.ts";
import { CelError, CelList, type CelValue } from "../../values/cel-value.ts";
import { noSuchOverload } from "../../values/equality.ts";
import { formatText } from "./format-text.ts";
import { compileGoPattern, type GoPattern } from "./go-pattern.ts";
import type { Invoke, Operations } from "./invoke.ts";

/** Implements functions of texts; positions count code points. */
export const STRINGS: Operations = {
  contains_string: onTexts((text, part) => text.includes(part)),
  starts_with_string: onTexts((text, part) => text.startsWith(part)),
  ends_with_string: onTexts((text, part) => text.endsWith(part)),
  matches: onTexts((text, pattern) => withPattern(pattern, text, ({ matches }) => matches(text))),
  string_find_string: onTexts((text, pattern) =>
    withPattern(pattern, text, ({ find }) => find(text) ?? "", "Illegal regex: "),
  ),
  string_find_all_string: (text, pattern) => findAll(text, pattern, -1n),
  string_find_all_string_int: findAll,
  string_char_at_int: (text, index) => charAt(pointsOf(text), Number(index)),
  string_index_of_string: (text, part) => indexOf(pointsOf(text), pointsOf(part), 0),
  string_index_of_string_int: (text, part, from) => indexOf(pointsOf(text), pointsOf(part), Number(from)),
  string_last_index_of_string: (text, part) => lastIndexOf(pointsOf(text), pointsOf(part)),
  string_last_index_of_string_int: (text, part, from) => lastIndexFrom(pointsOf(text), pointsOf(part), Number(from)),
  string_lower_ascii: (text) => String(text).replaceAll(/[A-Z]+/g, (part) => part.toLowerCase()),
  string_upper_ascii: (text) => String(text).replaceAll(/[a-z]+/g, (part) => part.toUpperCase()),
  string_replace_string_string: (text, old, by) => replace(String(text), String(old), String(by), -1),
  string_replace_string_string_int: (text, old, by, limit) =>
    replace(String(text), String(old), String(by), Number(limit)),
  string_split_string: (text, separator) => split(String(text), String(separator), -1),
  string_split_string_int: (text, separator, limit) => split(String(text), String(separator), Number(limit)),
  string_substring_int: (text, start) => substring(pointsOf(text), Number(start)),
  string_substring_int_int: (text, start, end) => substringTo(pointsOf(text), Number(start), Number(end)),
  string_trim: (text) => String(text).replace(LEADING_SPACE, "").replace(TRAILING_SPACE, ""),
  string_format: (text, args) => (args instanceof CelList ? formatText(String(text), args) : noSuchOverload()),
  string_jsonpatch_escapeKey_string: (text) =>
    String(text).replaceAll(/[~/]/gu, (sign) => (sign === "~" ? "~0" : "~1")),
  strings_quote: (text) => quote(String(text)),
  list_join: (list) => join(list, ""),
  list_join_string: (list, separator) => join(list, String(separator)),
};

// What Go's unicode.IsSpace takes for space.
const LEADING_SPACE = /^[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;
const TRAILING_SPACE =
  /(?<![\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000])[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/;

function onTexts(work: (text: string, part: string) => CelValue): Invoke {
  return (text, part) => (typeof text === "string" && typeof part === "string" ? work(text, part) : noSuchOverload());
}

function withPattern(pattern: string, text: string, work: (pattern: GoPattern) => CelValue, prefix = ""): CelValue {
  const compiled = compileGoPattern(pattern);
  if (compiled instanceof CelError) return new CelError(prefix + compiled.message);
  if (text.length <= compiled.longestText) return work(compiled);
  const [length, most] = [String(text.length), String(compiled.longestText)];
  return new CelError(`${length} characters are too many for the pattern, at most ${most}`);
}

function findAll(text: CelValue = "", pattern: CelValue = "", limit: CelValue = -1n): CelValue {
  const find = (compiled: GoPattern): CelValue => new CelArray(compiled.findAll(String(text), Number(limit)));
  return withPattern(String(pattern), String(text), find, "Illegal regex: ");
}

function pointsOf(text: CelValue | undefined): readonly string[] {
  return Array.from(String(text));
}

function outOfRange(index: number): CelError {
  return new CelError(`index out of range: ${String(index)}`);
}

function charAt(points: readonly string[], index: number): CelValue {
  if (index < 0 || index > points.length) return outOfRange(index);
  return points[index] ?? "";
}

function indexOf(points: readonly string[], part: readonly string[], from: number): CelValue {
  if (part.length === 0) return BigInt(from);
  if (from < 0) return outOfRange(from);
  for (let index = from; index <= points.length - part.length; index++) {
    if (part.every((point, offset) => points[index + offset] === point)) return BigInt(index);
  }
  return -1n;
}

function lastIndexOf(points: readonly string[], part: readonly string[]): CelValue {
  if (part.length === 0) return BigInt(points.length);
  return points.length < part.length ? -1n : lastIndexFrom(points, part, points.length - 1);
}

function lastIndexFrom(points: readonly string[], part: readonly string[], from: number): CelValue {
  if (part.length === 0) return BigInt(from);
  if (from < 0) return outOfRange(from);
  if (from >= points.length) return -1n;
  for (let index = Math.min(from, points.length - part.length); index >= 0; index--) {
    if (part.every((point, offset) => points[index + offset] === point)) return BigInt(index);
  }
  return -1n;
}

// A negative limit stands for none.
function replace(text: string, old: string, by: string, limit: number): string {
  const pieces = old === "" ? ["", ...Array.from(text), ""] : text.split(old);
  const count = limit < 0 ? pieces.length - 1 : Math.min(limit, pieces.length - 1);
  return (
    pieces.slice(0, count + 1).join(by) +
    pieces
      .slice(count + 1)
      .map((piece) => old + piece)
      .join("")
  );
}

function split(text: string, separator: string, limit: number): CelValue {
  if (limit === 0) return new CelArray([]);
  const pieces = separator === "" ? Array.from(text) : text.split(separator);
  if (limit < 0 || pieces.length <= limit) return new CelArray(pieces);
  return new CelArray([...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)]);
}

function substring(points: readonly string[], start: number): CelValue {
  return start < 0 || start > points.length ? outOfRange(start) : points.slice(start).join("");
}

function substringTo(points: readonly string[], start: number, end: number): CelValue {
  if (start > end) return new CelError(`invalid substring range. start: ${String(start)}, end: ${String(end)}`);
  if (start < 0 || start > points.length) return outOfRange(start);
  return end > points.length ? outOfRange(end) : points.slice(start, end).join("");
}

function join(list: CelValue | undefined, separator: string): CelValue {
  if (!(list instanceof CelList)) return noSuchOverload();
  const texts: string[] = [];
  for (let index = 0; index < list.length; index++) {
    const element = list.at(index);
    if (typeof element !== "string") return new CelError(`join: invalid input: ${formatKey(element)}`);
    texts.push(element);
  }
  return texts.join(separator);
}

const QUOTED: Readonly<Record<string, string>> = {
  "\x07": "\\a",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
  "\v": "\\v",
  "\\": "\\\\",
  '"': '\\"',
};

function quote(text: string): string {
  return `"${Array.from(text, (char) => QUOTED[char] ?? char).join("")}"`;
}
