/** An expression in the dialect that the parser library reads, with the way back to the text as it was written. */
export interface NormalizedSource {
  readonly text: string;
  /** Returns the place in the original text of a place in the normalized one, both in UTF-16 units. */
  readonly originOf: (index: number) => number;
  /** Reports whether a `?` that makes an element or entry optional stood between two places of the normalized text. */
  readonly hasOptionalMark: (from: number, to: number) => boolean;
  /** Reports whether the string literal at a place of the normalized text is one of raw bytes. */
  readonly isRawBytes: (index: number) => boolean;
  /** Reports whether the map literal at a place of the normalized text holds the fields of a message. */
  readonly isMessage: (index: number) => boolean;
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
 * dot, fractions without a whole part (`.5`), form feeds, and messages (`T{a: 1}` as `T.message({"a": 1})`). What CEL does not allow and the library would is a problem.
 */
export function normalizeSource(source: string): NormalizeResult {
  const writer = new SourceWriter();
  let index = 0;
  let before = "";
  let brackets = "";
  let isName = false;
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
      literalProblem(token, groups["prefix"] ?? "") ??
      fieldProblem({ token, groups, before, brackets, isName });
    if (problem !== undefined) return { problem: problem.message, index: index + problem.offset };
    const replacement = replacementOf({ token, groups, before, brackets, isName });
    writer.write(token, index, replacement);
    brackets =
      replacement === "message"
        ? `${brackets}${MESSAGE}`
        : bracketsAfter(brackets, groups["text"] === undefined ? token : "", before);
    if (groups["space"] === undefined) {
      isName = continuesName(groups, { before, isName });
      before = replacement === "optional" ? OPTIONAL_MARK : isValue(groups) ? "value" : token;
    }
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

type Replacement =
  | "as it is"
  | "optional"
  | "raw bytes"
  | "blank"
  | "fraction"
  | "message"
  | "field name"
  | "end of message";

/** A token and what is before it. */
interface Place {
  readonly token: string;
  readonly groups: Groups;
  readonly before: string;
  readonly brackets: string;
  /** Whether the tokens before it are the name of a type. */
  readonly isName: boolean;
}

function replacementOf({ token, groups, before, brackets, isName }: Place): Replacement {
  if (token === "{" && isName && before === "value") return "message";
  if (token === "}" && brackets.endsWith(MESSAGE)) return "end of message";
  if (groups["word"] !== undefined && isStartOfField(before, brackets)) return "field name";
  if (token === "?" && isStartOfElement(before, brackets)) return "optional";
  if (/^[bB][rR]$/.test(groups["prefix"] ?? "")) return "raw bytes";
  if (token === "." && before !== "." && !VALUE_ENDS.has(before)) return "blank";
  if (groups["number"]?.startsWith(".") === true) return "fraction";
  return groups["space"]?.includes("\f") === true ? "blank" : "as it is";
}

const MESSAGE = "m";
const OPTIONAL_MARK = "?field";

function isStartOfField(before: string, brackets: string): boolean {
  return brackets.endsWith(MESSAGE) && ["{", ",", OPTIONAL_MARK].includes(before);
}

// The names of fields are words, which a server does not evaluate.
function fieldProblem({ token, groups, before, brackets }: Place): Problem | undefined {
  if (groups["space"] !== undefined || !isStartOfField(before, brackets)) return undefined;
  const { word, sign } = groups;
  const isFine = word === undefined ? sign === "}" || (sign === "?" && before !== OPTIONAL_MARK) : !KEYWORDS.has(word);
  const expected = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}";
  return isFine ? undefined : { message: `Syntax error: mismatched input '${token}' expecting ${expected}`, offset: 0 };
}

const KEYWORDS: ReadonlySet<string> = new Set(["false", "in", "null", "true"]);

// `a`, `.a`, and `a.b` are names; `f().b` and `a[0].b` are none.
function continuesName(
  { word, sign }: Groups,
  { before, isName }: { readonly before: string; readonly isName: boolean },
): boolean {
  if (word !== undefined) return before === "." ? isName : true;
  return sign === "." && (VALUE_ENDS.has(before) ? isName && before === "value" : true);
}

// `a[?i]` is an index and stays; `[?a` and `{?k` start literals.
function isStartOfElement(before: string, brackets: string): boolean {
  const isInLiteral = brackets.endsWith("l") || brackets.endsWith("{") || brackets.endsWith(MESSAGE);
  return isInLiteral && [",", "[", "{"].includes(before);
}

const VALUE_ENDS: ReadonlySet<string> = new Set(["value", ")", "]", "}"]);

// One letter for each open bracket: `l` is a list, `[` an index, `m` a message.
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
  readonly #messages = new Set<number>();

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
        this.#write("0", origin);
        return this.#append(token, origin);
      case "message":
        this.#write(".message(", origin);
        this.#messages.add(this.#text.length);
        return this.#append(token, origin);
      case "field name":
        this.#write('"', origin);
        this.#append(token, origin);
        return this.#write('"', origin + token.length - 1);
      case "end of message":
        this.#append(token, origin);
        return this.#write(")", origin);
    }
  }

  // Writes what is not in the source, at one place of it.
  #write(text: string, origin: number): void {
    for (let index = 0; index < text.length; index++) this.#origins.push(origin);
    this.#text += text;
  }

  #append(text: string, origin: number): void {
    for (let index = 0; index < text.length; index++) this.#origins.push(origin + index);
    this.#text += text;
  }

  finish(length: number): NormalizedSource {
    const [origins, marks, rawBytes, messages] = [this.#origins, this.#optionalMarks, this.#rawBytes, this.#messages];
    return {
      text: this.#text,
      originOf: (index) => origins[index] ?? length,
      hasOptionalMark: (from, to) => marks.some((mark) => mark >= from && mark < to),
      isRawBytes: (index) => rawBytes.has(index),
      isMessage: (index) => messages.has(index),
    };
  }
}
