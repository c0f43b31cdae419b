const END_OF_LINE = ["\r", "\n"];
const TERMINATORS = new Set([" ", "\t", ...END_OF_LINE, ".", ",", "[", "]", "$", "@", "{", "}"]);
const SLICE = /^-?\d*(?::-?\d*){0,2}$/u;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/u;
const WORD = /^[\p{L}\p{Nd}_]$/u;
const COMPARISON = /^[^!<>=]+[!<>=]+./su;

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
  if (WORD.test(char)) return { end: wordEnd(text, at) };
  const code = (text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return { end: at, problem: `unrecognized character in action: U+${code} '${char}'` };
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
  let end = start + 1;
  while (/[\d.]/u.test(text[end] ?? "")) end += 1;
  const value = text.slice(start, end);
  return NUMBER.test(value) ? { end } : { end, problem: `cannot parse number ${value}` };
}

function readQuote(text: string, start: number, quote: string): Part {
  for (let at = start; at < text.length && text[at] !== "\n"; at += 1) {
    if (text[at] === quote && text[at - 1] !== "\\") return { end: at + 1 };
  }
  return { end: text.length, problem: "unterminated quoted string" };
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
    return parts.map((part) => jsonPathProblem(`{[${part.trim()}]}`)).find((problem) => problem !== undefined);
  }
  const isKey = inner.length > 1 && inner.startsWith("'") && inner.indexOf("'", 1) === inner.length - 1;
  if (isKey) return jsonPathProblem(`{.${inner.slice(1, -1)}}`);
  if (inner !== "*" && !SLICE.test(inner)) return `invalid array index ${inner}`;
  const wrong = inner.split(":").find((bound) => bound === "-");
  return wrong === undefined ? undefined : `array index ${wrong} is not a number`;
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
  const match = COMPARISON.exec(filter);
  if (match === null) return jsonPathProblem(`{${filter}}`);
  const left = filter.slice(0, filter.search(/[!<>=]/u));
  const right = filter.slice(left.length).replace(/^[!<>=]+/u, "");
  return jsonPathProblem(`{${left}}`) ?? jsonPathProblem(`{${right}}`);
}
