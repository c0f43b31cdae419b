import { findLastText, findText, splitText } from "../../../text/find-text.ts";
import { Positions } from "../../../text/positions.ts";
import { CelArray } from "../../values/cel-list.ts";
import { formatKey } from "../../values/cel-map.ts";
import { CelError, CelList, type CelValue, LONGEST_TEXT, tooLong } from "../../values/cel-value.ts";
import { noSuchOverload } from "../../values/equality.ts";
import { formatText } from "./format-text.ts";
import { compileGoPattern, type GoPattern } from "./go-pattern.ts";
import type { Invoke, Operations } from "./invoke.ts";

/** Implements functions of texts; positions count code points. */
export const STRINGS: Operations = {
  contains_string: onTexts((text, part) => findText(text, part) !== -1),
  starts_with_string: onTexts((text, part) => text.startsWith(part)),
  ends_with_string: onTexts((text, part) => text.endsWith(part)),
  matches: onTexts((text, pattern) => withPattern(pattern, text, ({ matches }) => matches(text))),
  string_find_string: onTexts((text, pattern) =>
    withPattern(pattern, text, ({ find }) => find(text) ?? "", "Illegal regex: "),
  ),
  string_find_all_string: (text, pattern) => findAll(text, pattern, -1n),
  string_find_all_string_int: findAll,
  string_char_at_int: (text, index) => charAt(positionsOf(text), Number(index)),
  string_index_of_string: (text, part) => indexOf(positionsOf(text), String(part), 0),
  string_index_of_string_int: (text, part, from) => indexOf(positionsOf(text), String(part), Number(from)),
  string_last_index_of_string: (text, part) => lastIndexOf(positionsOf(text), String(part)),
  string_last_index_of_string_int: (text, part, from) => lastIndexFrom(positionsOf(text), String(part), Number(from)),
  string_lower_ascii: (text) => String(text).replaceAll(/[A-Z]+/g, (part) => part.toLowerCase()),
  string_upper_ascii: (text) => String(text).replaceAll(/[a-z]+/g, (part) => part.toUpperCase()),
  string_replace_string_string: (text, old, by) => replace(String(text), String(old), String(by), -1),
  string_replace_string_string_int: (text, old, by, limit) =>
    replace(String(text), String(old), String(by), Number(limit)),
  string_split_string: (text, separator) => split(String(text), String(separator), -1),
  string_split_string_int: (text, separator, limit) => split(String(text), String(separator), Number(limit)),
  string_substring_int: (text, start) => substring(positionsOf(text), Number(start)),
  string_substring_int_int: (text, start, end) => substringTo(positionsOf(text), Number(start), Number(end)),
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
  const find = (compiled: GoPattern): CelValue => {
    const matches = compiled.findAll(String(text), Number(limit));
    return matches === undefined
      ? new CelError("the matches of the pattern read the text too often")
      : new CelArray(matches);
  };
  return withPattern(String(pattern), String(text), find, "Illegal regex: ");
}

function positionsOf(text: CelValue | undefined): Positions {
  return new Positions(String(text));
}

function outOfRange(index: number): CelError {
  return new CelError(`index out of range: ${String(index)}`);
}

function charAt(positions: Positions, index: number): CelValue {
  if (index < 0 || index > positions.length) return outOfRange(index);
  const point = positions.text.codePointAt(positions.indexOf(index));
  return point === undefined ? "" : String.fromCodePoint(point);
}

function indexOf(positions: Positions, part: string, from: number): CelValue {
  if (part === "") return BigInt(from);
  if (from < 0) return outOfRange(from);
  if (from > positions.length) return -1n;
  return BigInt(positions.positionOf(findText(positions.text, part, positions.indexOf(from))));
}

function lastIndexOf(positions: Positions, part: string): CelValue {
  if (part === "") return BigInt(positions.length);
  return positions.length === 0 ? -1n : lastIndexFrom(positions, part, positions.length - 1);
}

function lastIndexFrom(positions: Positions, part: string, from: number): CelValue {
  if (part === "") return BigInt(from);
  if (from < 0) return outOfRange(from);
  if (from >= positions.length) return -1n;
  return BigInt(positions.positionOf(findLastText(positions.text, part, positions.indexOf(from))));
}

// A negative limit stands for none.
function replace(text: string, old: string, by: string, limit: number): CelValue {
  const pieces = old === "" ? ["", ...Array.from(text), ""] : splitText(text, old);
  const count = limit < 0 ? pieces.length - 1 : Math.min(limit, pieces.length - 1);
  if (text.length + count * (by.length - old.length) > LONGEST_TEXT) return tooLong();
  return (
    pieces
      .slice(0, count)
      .map((piece) => piece + by)
      .join("") + pieces.slice(count).join(old)
  );
}

function split(text: string, separator: string, limit: number): CelValue {
  if (limit === 0) return new CelArray([]);
  const pieces = separator === "" ? Array.from(text) : splitText(text, separator);
  if (limit < 0 || pieces.length <= limit) return new CelArray(pieces);
  return new CelArray([...pieces.slice(0, limit - 1), pieces.slice(limit - 1).join(separator)]);
}

function substring(positions: Positions, start: number): CelValue {
  return start < 0 || start > positions.length ? outOfRange(start) : positions.text.slice(positions.indexOf(start));
}

function substringTo(positions: Positions, start: number, end: number): CelValue {
  if (start > end) return new CelError(`invalid substring range. start: ${String(start)}, end: ${String(end)}`);
  if (start < 0 || start > positions.length) return outOfRange(start);
  return end > positions.length
    ? outOfRange(end)
    : positions.text.slice(positions.indexOf(start), positions.indexOf(end));
}

function join(list: CelValue | undefined, separator: string): CelValue {
  if (!(list instanceof CelList)) return noSuchOverload();
  const texts: string[] = [];
  let length = 0;
  for (let index = 0; index < list.length; index++) {
    const element = list.at(index);
    if (typeof element !== "string") return new CelError(`join: invalid input: ${formatKey(element)}`);
    length += element.length + separator.length;
    if (length > LONGEST_TEXT) return tooLong();
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
