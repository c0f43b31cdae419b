const END_OF_LINE = ["\r", "\n"];
const TERMINATORS = new Set([" ", "\t", ...END_OF_LINE, ".", ",", "[", "]", "$", "@", "{", "}"]);
const SLICE = /^-?\d*(?::-?\d*){0,2}$/u;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;
const WORD = /^[\p{L}\p{Nd}_]$/u;
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const COMPARISON = /^(?<left>[^!<>=]+)(?<operator>[!<>=]+)(?<right>[^!<>=].*)?$/su;

/** Returns why a template of JSONPath, such as `{.spec}`, cannot be read, with upstream's message; undefined where it can. */
export function jsonPathProblem(template: string): string | undefined {
  for (let start = template.indexOf("{"); start >= 0;) {
    const action = readAction(template, start + 1);
    if (action.problem !== undefined) return action.problem;
    start = template.indexOf("{", action.end);
  }
  return undefined;
}

/** A part of a template that ends before a place, or why it cannot be read. */
interface Part {
  readonly end: number;
  readonly problem?: string | undefined;
}

function readAction(text: string, start: number): Part {
  let [at, isRecursive] = [start, false];
  for (;;) {
    const char = text[at];
    if (char === "}") return { end: at + 1 };
    if (char === undefined || END_OF_LINE.includes(char)) return { end: at, problem: "unclosed action" };
    if (char === " " || char === "@" || char === "$") {
      at += 1;
      continue;
    }
    const isDescent = text.startsWith("..", at);
    if (isDescent && isRecursive) return { end: at, problem: "invalid multiple recursive descent" };
    const part = isDescent ? { end: at + 2 } : readPart(text, at, char);
    if (part.problem !== undefined) return part;
    isRecursive = isDescent && !WORD.test(text[part.end] ?? "");
    at = isDescent && !isRecursive ? fieldEnd(text, part.end) : part.end;
  }
}

function readPart(text: string, at: number, char: string): Part {
  if (text.startsWith("[?(", at)) return readFilter(text, at + 3);
  if (char === "[") return readArray(text, at + 1);
  if (char === '"' || char === "'") return readQuote(text, at + 1, char);
  if (char === ".") return { end: fieldEnd(text, at + 1) };
  if (/[+\-\p{Nd}]/u.test(char)) return readNumber(text, at);
  const code = text.codePointAt(at) ?? 0;
  const whole = String.fromCodePoint(code);
  if (WORD.test(whole)) return { end: wordEnd(text, at) };
  const printed = PRINTABLE.test(whole) ? ` '${whole}'` : "";
  const digits = code.toString(16).toUpperCase().padStart(4, "0");
  return { end: at, problem: `unrecognized character in action: U+${digits}${printed}` };
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !TERMINATORS.has(text[at] ?? "")) at += 1;
  return at;
}

// A backslash keeps the character after it in the name.
function fieldEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !TERMINATORS.has(text[at] ?? "")) at += text[at] === "\\" ? 2 : 1;
  return Math.min(at, text.length);
}

function readNumber(text: string, start: number): Part {
  const [value = ""] = /^[+-]?[\p{Nd}.]*/u.exec(text.slice(start)) ?? [];
  const end = start + value.length;
  return NUMBER.test(value) ? { end } : { end, problem: `cannot parse number ${value}` };
}

function readQuote(text: string, start: number, quote: string): Part {
  for (let at = start; at < text.length && text[at] !== "\n"; at += 1) {
    if (text[at] === quote && text[at - 1] !== "\\") {
      const quoted = text.slice(start - 1, at + 1);
      const problem = hasEscapes(quoted.slice(1, -1), quote)
        ? undefined
        : `unquote string ${quoted} error invalid syntax`;
      return { end: at + 1, problem };
    }
  }
  return { end: text.length, problem: "unterminated quoted string" };
}

// Those of a string of Go, without the other quote.
function hasEscapes(content: string, quote: string): boolean {
  const escapes = content.matchAll(/\\(?<escape>[0-7]{3}|x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8}|[^])?/gu);
  return [...escapes].every(({ groups }) => isEscape(groups?.["escape"] ?? "", quote));
}

function isEscape(escape: string, quote: string): boolean {
  if (escape.length === 1) return escape === quote || "abfnrtv\\".includes(escape);
  if (escape.length === 3 && escape[0] !== "x") return Number.parseInt(escape, 8) < 256;
  const code = Number.parseInt(escape.slice(1), 16);
  return escape !== "" && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff);
}

function readArray(text: string, start: number): Part {
  const end = text.indexOf("]", start);
  const inner = text.slice(start, end);
  if (end < 0 || inner.includes("\n")) return { end: start, problem: "unterminated array" };
  return { end: end + 1, problem: arrayProblem(inner) };
}

function arrayProblem(inner: string): string | undefined {
  const parts = inner.split(",");
  if (parts.length > 1) {
    return parts
      .map((part) => jsonPathProblem(`{[${part.replaceAll(/^ +|(?<! ) +$/gu, "")}]}`))
      .find((problem) => problem !== undefined);
  }
  const isKey = inner.length > 1 && inner.startsWith("'") && inner.indexOf("'", 1) === inner.length - 1;
  if (isKey) return jsonPathProblem(`{.${inner.slice(1, -1)}}`);
  if (inner === "*") return undefined;
  if (!SLICE.test(inner)) return `invalid array index ${inner}`;
  const wrong = inner.split(":").find((bound) => bound === "-" || !isInt64(bound));
  return wrong === undefined ? undefined : `array index ${wrong} is not a number`;
}

function isInt64(digits: string): boolean {
  return BigInt.asIntN(64, BigInt(digits)) === BigInt(digits);
}

function readFilter(text: string, start: number): Part {
  let quote = "";
  let isClosed = false;
  for (let at = start; at < text.length && text[at] !== "\n"; at += 1) {
    const char = text[at] ?? "";
    if (char === '"' || char === "'") {
      if (quote === "") quote = char;
      else if (char === quote && text[at - 1] !== "\\") isClosed = true;
    } else if (char === ")" && (quote === "") === !isClosed) {
      if (text[at + 1] !== "]") return { end: at, problem: "unclosed array expect ]" };
      return { end: at + 2, problem: filterProblem(text.slice(start, at)) };
    }
  }
  return { end: text.length, problem: "unterminated filter" };
}

function filterProblem(filter: string): string | undefined {
  const { left, operator = "", right } = COMPARISON.exec(filter)?.groups ?? {};
  // An operator without a right side leaves it the last of its characters.
  if (left === undefined || (right === undefined && operator.length < 2)) return jsonPathProblem(`{${filter}}`);
  return jsonPathProblem(`{${left}}`) ?? jsonPathProblem(`{${right ?? operator.slice(-1)}}`);
}
