import { JsonPathSyntaxError } from "./errors.ts";

/** A step from values to others. */
export type PathStep =
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  | { readonly kind: "field"; readonly name: string }
  | { readonly kind: "wildcard" }
  | { readonly kind: "recursive" }
  | { readonly kind: "slice"; readonly slice: Slice }
  | { readonly kind: "union"; readonly paths: readonly Path[] }
  | { readonly kind: "filter"; readonly left: Path; readonly operator: string; readonly right: Path };

/** Steps that are taken one after the other. */
export type Path = readonly PathStep[];

/** The items of a list; negative numbers count from its end. */
export interface Slice {
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** Whether a single item is selected: the end follows from the start. */
  readonly isIndex: boolean;
  readonly step: number | undefined;
}

/** A part of a template. */
export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "path"; readonly path: Path }
  | { readonly kind: "range"; readonly path: Path; readonly body: readonly TemplatePart[] };

/** Parses a template of texts and actions in braces. Fails: {@link JsonPathSyntaxError}. */
export function parseTemplate(template: string): readonly TemplatePart[] {
  return new TemplateParser(template).parse();
}

class TemplateParser {
  readonly #template: string;
  #position = 0;

  constructor(template: string) {
    this.#template = template;
  }

  parse(): readonly TemplatePart[] {
    const { parts, isEnded } = this.#parseParts();
    if (isEnded) throw new JsonPathSyntaxError(this.#template, "{end} without {range}");
    return parts;
  }

  // Up to the end of the template, or to an {end}.
  #parseParts(): { readonly parts: readonly TemplatePart[]; readonly isEnded: boolean } {
    const parts: TemplatePart[] = [];
    while (this.#position < this.#template.length) {
      const brace = this.#template.indexOf("{", this.#position);
      const end = brace < 0 ? this.#template.length : brace;
      if (end > this.#position) parts.push({ kind: "text", text: this.#template.slice(this.#position, end) });
      this.#position = end;
      if (brace < 0) break;
      const action = new ActionParser(this.#template, brace + 1).parse("}");
      this.#position = action.end;
      if (action.keyword === "end") return { parts, isEnded: true };
      parts.push(action.keyword === "range" ? this.#parseRange(action.path) : { kind: "path", path: action.path });
    }
    return { parts, isEnded: false };
  }

  #parseRange(path: Path): TemplatePart {
    const { parts, isEnded } = this.#parseParts();
    if (!isEnded) throw new JsonPathSyntaxError(this.#template, "{range} without {end}");
    return { kind: "range", path, body: parts };
  }
}

interface Action {
  readonly path: Path;
  readonly keyword: "range" | "end" | undefined;
  /** The position after the action. */
  readonly end: number;
}

class ActionParser {
  readonly #text: string;
  readonly #steps: PathStep[] = [];
  #position: number;
  #keyword: "range" | "end" | undefined;

  constructor(text: string, position: number) {
    this.#text = text;
    this.#position = position;
  }

  /** Parses up to a brace, or without one, to the end of the text. */
  parse(closing: "}" | ""): Action {
    while (!this.#isClosed(closing)) this.#parseStep();
    return { path: this.#steps, keyword: this.#keyword, end: this.#position };
  }

  #isClosed(closing: "}" | ""): boolean {
    if (closing === "") return this.#position >= this.#text.length;
    if (this.#position >= this.#text.length || /[\r\n]/u.test(this.#text[this.#position] ?? "")) {
      throw this.#error("an action is not closed");
    }
    if (this.#text[this.#position] !== closing) return false;
    this.#position += 1;
    return true;
  }

  #parseStep(): void {
    const rest = this.#text.slice(this.#position);
    const first = rest[0] ?? "";
    if (rest.startsWith("[?(")) this.#parseFilter();
    else if (rest.startsWith("..")) this.#parseRecursive();
    else if (first === " " || first === "@" || first === "$") this.#position += 1;
    else if (first === "[") this.#parseBrackets();
    else if (first === '"' || first === "'") this.#parseQuoted(first);
    else if (first === ".") this.#parseField(1);
    else if (/[-+0-9]/u.test(first)) this.#parseNumber();
    else if (/[\p{L}\p{Nd}_]/u.test(first)) this.#parseWord();
    else throw this.#error(`unexpected character ${JSON.stringify(first)}`);
  }

  #parseRecursive(): void {
    if (this.#steps.at(-1)?.kind === "recursive") throw this.#error("a second .. follows ..");
    this.#steps.push({ kind: "recursive" });
    this.#position += 2;
    if (/[\p{L}\p{Nd}_]/u.test(this.#text[this.#position] ?? "")) this.#parseField(0);
  }

  #parseField(skipped: number): void {
    this.#position += skipped;
    const name = this.#takeName();
    this.#steps.push(name === "*" ? { kind: "wildcard" } : { kind: "field", name: name.replaceAll("\\", "") });
  }

  // A backslash escapes the character that would end the name.
  #takeName(): string {
    const start = this.#position;
    while (this.#position < this.#text.length && !/[ \t\r\n.,[\]$@{}]/u.test(this.#text[this.#position] ?? "")) {
      this.#position += this.#text[this.#position] === "\\" ? 2 : 1;
    }
    this.#position = Math.min(this.#position, this.#text.length);
    return this.#text.slice(start, this.#position);
  }

  #parseWord(): void {
    const word = this.#takeName();
    if (word === "true" || word === "false") this.#steps.push({ kind: "literal", value: word === "true" });
    else if (word === "range" || word === "end") this.#keyword = word;
    else throw this.#error(`unknown word ${JSON.stringify(word)}`);
  }

  #parseNumber(): void {
    const [text = ""] = /^[-+]?[0-9.]*/u.exec(this.#text.slice(this.#position)) ?? [];
    const value = Number(text);
    if (!/[0-9]/u.test(text) || Number.isNaN(value)) throw this.#error(`invalid number ${JSON.stringify(text)}`);
    this.#position += text.length;
    this.#steps.push({ kind: "literal", value });
  }

  #parseQuoted(quote: string): void {
    const end = this.#endOfQuoted(this.#position, quote);
    const content = this.#text.slice(this.#position + 1, end);
    this.#position = end + 1;
    this.#steps.push({ kind: "literal", value: this.#unquoted(content, quote) });
  }

  #endOfQuoted(start: number, quote: string): number {
    for (let index = start + 1; index < this.#text.length; index += 1) {
      const character = this.#text[index];
      if (character === "\n") break;
      if (character === "\\") index += 1;
      else if (character === quote) return index;
    }
    throw this.#error("a quoted text is not closed");
  }

  #unquoted(content: string, quote: string): string {
    return content.replaceAll(/\\(u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[^])/gu, (_, escape: string) => {
      const simple = ESCAPES.get(escape) ?? (escape === quote || escape === "\\" ? escape : undefined);
      if (simple !== undefined) return simple;
      if (escape.length === 1) throw this.#error(`unknown escape \\${escape}`);
      return String.fromCodePoint(Number.parseInt(escape.slice(1), 16));
    });
  }

  #parseBrackets(): void {
    const end = this.#text.indexOf("]", this.#position);
    const text = this.#text.slice(this.#position + 1, end);
    if (end < 0 || text.includes("\n")) throw this.#error("a [ is not closed");
    this.#position = end + 1;
    const alternatives = text.split(",");
    if (alternatives.length === 1) {
      this.#steps.push(...this.#selected(text));
    } else {
      this.#steps.push({
        kind: "union",
        paths: alternatives.map((each) => this.#selected(each.replaceAll(/^ +|(?<! ) +$/gu, ""))),
      });
    }
  }

  #selected(text: string): Path {
    if (text === "*") return [{ kind: "slice", slice: sliceOf("", ":", "") }];
    const name = /^'([^']*)'$/u.exec(text)?.[1];
    if (name !== undefined) return new ActionParser(`.${name}`, 0).parse("").path;
    const [, start = "", end, step = ""] = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/u.exec(text) ?? [];
    if (start === "" && end === undefined && text !== "") throw this.#error(`invalid index ${JSON.stringify(text)}`);
    if ([start, end ?? "", step].some((each) => each.endsWith("-"))) {
      throw this.#error(`invalid index ${JSON.stringify(text)}`);
    }
    return [{ kind: "slice", slice: sliceOf(start, end, step) }];
  }

  #parseFilter(): void {
    const start = this.#position + 3;
    const end = this.#endOfFilter(start);
    const text = this.#text.slice(start, end);
    this.#position = end + 2;
    const [, left = text, operator = "", right = ""] = /^([^!<>=]+)([!<>=]+)([^!<>=].*)?$/su.exec(text) ?? [];
    if (operator !== "" && right === "") throw this.#error(`nothing follows the operator ${operator}`);
    if (operator !== "" && !OPERATORS.has(operator)) throw this.#error(`unknown operator ${operator}`);
    const pathOf = (part: string): Path => new ActionParser(part, 0).parse("").path;
    this.#steps.push({ kind: "filter", left: pathOf(left), operator, right: pathOf(right) });
  }

  #endOfFilter(start: number): number {
    let index = start;
    while (index < this.#text.length && this.#text[index] !== ")" && this.#text[index] !== "\n") {
      const character = this.#text[index] ?? "";
      index = character === '"' || character === "'" ? this.#endOfQuoted(index, character) + 1 : index + 1;
    }
    if (this.#text.slice(index, index + 2) !== ")]") throw this.#error("a filter is not closed");
    return index;
  }

  #error(problem: string): JsonPathSyntaxError {
    return new JsonPathSyntaxError(this.#text, problem);
  }
}

const OPERATORS: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">="]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["a", "\u0007"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
]);

// The end and the step have a colon in front; without an end, one item is selected.
function sliceOf(start: string, end: string | undefined, step: string): Slice {
  const numberOf = (text: string): number | undefined => (text === "" ? undefined : Number(text));
  const first = numberOf(start);
  return end === undefined
    ? { start: first, end: (first ?? 0) + 1, isIndex: true, step: undefined }
    : { start: first, end: numberOf(end.slice(1)), isIndex: false, step: numberOf(step.slice(1)) };
}
