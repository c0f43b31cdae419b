/** An expression in the dialect that the parser library reads, with the way back to the text as it was written. */
export interface NormalizedSource {
  readonly text: string;
  /** Returns the place in the original text of a place in the normalized one, both in UTF-16 units. */
  readonly originOf: (index: number) => number;
  /** Reports whether a `?` that makes an element or entry optional stood between two places of the normalized text. */
  readonly hasOptionalMark: (from: number, to: number) => boolean;
  /** Reports whether the string literal at a place of the normalized text is one of raw bytes. */
  readonly isRawBytes: (index: number) => boolean;
}

export type NormalizeResult = NormalizedSource | { readonly problem: string; readonly index: number };

const TOKEN = new RegExp(
  [
    String.raw`(?<space>[\t \r\n\f]+|//[^\n]*)`,
    String.raw`(?<text>(?<prefix>[bB]?[rR]?)(?:"""|'''|"|'))`,
    String.raw`(?<number>0x[0-9a-fA-F]+[uU]?|(?:\d+\.\d+|\.\d+)(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+[uU]?)`,
    String.raw`(?<word>[A-Za-z_][A-Za-z_0-9]*)`,
    String.raw`(?<sign>==|!=|<=|>=|&&|\|\||[-+*/%<>!?:.,()[\]{}])`,
  ].join("|"),
  "y",
);

/**
 * Writes what the library does not read in a way that it does: optional elements (`[?a]`), raw bytes (`rb"x"`), names that start with a
 * dot, fractions without a whole part (`.5`), form feeds. What CEL does not allow and the library would is a problem.
 */
export function normalizeSource(source: string): NormalizeResult {
  const writer = new SourceWriter();
  let index = 0;
  let before = "";
  let brackets = "";
  while (index < source.length) {
    TOKEN.lastIndex = index;
    const groups = TOKEN.exec(source)?.groups;
    if (groups === undefined)
      return { problem: `Syntax error: token recognition error at: '${source[index] ?? ""}'`, index };
    const end = groups["text"] === undefined ? TOKEN.lastIndex : endOfText(source, index, groups["prefix"] ?? "");
    if (end === undefined)
      return { problem: "Syntax error: token recognition error at: an unterminated literal", index };
    const token = source.slice(index, end);
    if (brackets.length >= MOST_BRACKETS && isInside(token, groups)) {
      return { problem: "expression recursion limit exceeded: 250", index: 0 };
    }
    const problem =
      problemOf(source.slice(index, index + LOOK_AHEAD), groups, before) ??
      literalProblem(token, groups["prefix"] ?? "");
    if (problem !== undefined) return { problem: problem.message, index: index + problem.offset };
    writer.write(token, index, replacementOf(token, groups, before, brackets));
    brackets = bracketsAfter(brackets, groups["text"] === undefined ? token : "", before);
    if (groups["space"] === undefined) before = isValue(groups) ? "value" : token;
    index = end;
  }
  return writer.finish(source.length);
}

const MOST_BRACKETS = 250;

// What closes a bracket is not inside it.
function isInside(token: string, groups: Groups): boolean {
  return groups["space"] === undefined && !/^[)\]}]$/.test(token);
}

function isValue(groups: Groups): boolean {
  const { text, number, word } = groups;
  return text !== undefined || number !== undefined || (word !== undefined && word !== "in");
}

function endOfText(source: string, start: number, prefix: string): number | undefined {
  const open = start + prefix.length;
  const quote = source[open] ?? "";
  const delimiter = source.startsWith(quote.repeat(3), open) ? quote.repeat(3) : quote;
  const isRaw = /r/i.test(prefix);
  for (let index = open + delimiter.length; index < source.length; index++) {
    if (source.startsWith(delimiter, index)) return index + delimiter.length;
    if (delimiter.length === 1 && /[\n\r]/.test(source[index] ?? "")) return undefined;
    if (!isRaw && source[index] === "\\") index++;
  }
  return undefined;
}

// How far behind a sign its operand is looked for.
const LOOK_AHEAD = 100;

interface Problem {
  readonly message: string;
  /** Where, from the start of the token. */
  readonly offset: number;
}

type Groups = Readonly<Record<string, string | undefined>>;

function problemOf(rest: string, groups: Groups, before: string): Problem | undefined {
  if (rest.startsWith(")") && before === ",") return { message: "Syntax error: mismatched input ')'", offset: 0 };
  if (isValue(groups) && before === "value") return { message: "Syntax error: extraneous input", offset: 0 };
  const isSignOfSomething = rest.startsWith("!") ? before === "-" : /^-\s*[^\s\d.]/.test(rest) && before === "!";
  return isSignOfSomething ? { message: "Syntax error: extraneous input", offset: 0 } : undefined;
}

const ESCAPE = /\\(?:[abfnrtv"'\\?`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/g;

// With an escape that is none there is no literal; what is left of one in three quotes starts with an empty text.
function literalProblem(token: string, prefix: string): Problem | undefined {
  if (!/["']/.test(token) || /r/i.test(prefix) || !token.includes("\\")) return undefined;
  if (token.replaceAll(ESCAPE, "").includes("\\")) {
    const isTriple = /^[bB]?("""|''')/.test(token);
    return { message: "Syntax error: token recognition error", offset: isTriple ? prefix.length + 2 : 0 };
  }
  const unicode = Array.from(token.matchAll(/\\(?:\\|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/g));
  const codes = unicode.map(([, short, long]) => Number.parseInt(short ?? long ?? "0", 16));
  if (codes.some((code) => code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))) {
    return { message: "invalid unicode code point", offset: 0 };
  }
  const isUnicodeInBytes = prefix !== "" && unicode.some(([, short, long]) => (short ?? long) !== undefined);
  return isUnicodeInBytes ? { message: "unable to unescape string", offset: 0 } : undefined;
}

type Replacement = "as it is" | "optional" | "raw bytes" | "blank" | "fraction";

function replacementOf(token: string, groups: Groups, before: string, brackets: string): Replacement {
  if (token === "?" && isStartOfElement(before, brackets)) return "optional";
  if (/^[bB][rR]$/.test(groups["prefix"] ?? "")) return "raw bytes";
  if (token === "." && before !== "." && !VALUE_ENDS.has(before)) return "blank";
  if (groups["number"]?.startsWith(".") === true) return "fraction";
  return groups["space"]?.includes("\f") === true ? "blank" : "as it is";
}

// `a[?i]` is an index and stays; `[?a` and `{?k` start literals.
function isStartOfElement(before: string, brackets: string): boolean {
  const isInLiteral = brackets.endsWith("l") || brackets.endsWith("{");
  return isInLiteral && [",", "[", "{"].includes(before);
}

const VALUE_ENDS: ReadonlySet<string> = new Set(["value", ")", "]", "}"]);

// One letter for each open bracket: `l` is a list, `[` an index.
function bracketsAfter(brackets: string, token: string, before: string): string {
  if (token === "(" || token === "{") return brackets + token;
  if (token === "[") return brackets + (VALUE_ENDS.has(before) ? "[" : "l");
  return token === ")" || token === "]" || token === "}" ? brackets.slice(0, -1) : brackets;
}

class SourceWriter {
  #text = "";
  readonly #origins: number[] = [];
  readonly #optionalMarks: number[] = [];
  readonly #rawBytes = new Set<number>();

  write(token: string, origin: number, replacement: Replacement): void {
    switch (replacement) {
      case "as it is":
        return this.#append(token, origin);
      case "optional":
        this.#optionalMarks.push(this.#text.length);
        return this.#append(" ", origin);
      case "raw bytes":
        this.#rawBytes.add(this.#text.length + 1);
        return this.#append(` r${token.slice(2)}`, origin);
      case "blank":
        return this.#append(token.replaceAll(/[.\f]/g, " "), origin);
      case "fraction":
        this.#origins.push(origin);
        this.#text += "0";
        return this.#append(token, origin);
    }
  }

  #append(text: string, origin: number): void {
    for (let index = 0; index < text.length; index++) this.#origins.push(origin + index);
    this.#text += text;
  }

  finish(length: number): NormalizedSource {
    const [origins, marks, rawBytes] = [this.#origins, this.#optionalMarks, this.#rawBytes];
    return {
      text: this.#text,
      originOf: (index) => origins[index] ?? length,
      hasOptionalMark: (from, to) => marks.some((mark) => mark >= from && mark < to),
      isRawBytes: (index) => rawBytes.has(index),
    };
  }
}
