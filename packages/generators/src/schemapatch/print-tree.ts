import type { TextStyle, YamlDocument, YamlItem, YamlMember, YamlNode } from "./yaml-tree.ts";

/** Prints a document as controller-gen's YAML library does: two blanks, sequences further in than their keys, comments where they belong. */
export function printTree({ head, foot, root }: YamlDocument): string {
  const printer = new TreePrinter();
  printer.comment(0, head);
  if (head.length > 0) printer.emptyLine();
  printer.node(root, { indent: 0, lead: "" });
  if (foot.length > 0) {
    printer.emptyLine();
    printer.comment(0, foot);
  }
  return printer.finish();
}

/** Where a value is printed: the column of its block, and what is on the line already. */
interface Place {
  readonly indent: number;
  readonly lead: string;
}

class TreePrinter {
  readonly #lines: string[] = [];
  // The column of a comment that is about what is before it: an empty line keeps what follows there apart.
  #footColumn = -1;

  finish(): string {
    return this.#lines.map((line) => `${line}\n`).join("");
  }

  emptyLine(): void {
    this.#lines.push("");
    this.#footColumn = -1;
  }

  comment(column: number, lines: readonly string[]): void {
    for (const line of lines) {
      if (line === "") this.#lines.push("");
      else this.#line(column, line);
    }
  }

  /** Prints a value whose line begins with `lead`, which ends at the column of the value's block unless it is a key. */
  node(node: YamlNode, { indent, lead }: Place): void {
    if (node.kind === "mapping" && !node.isFlow && node.members.length > 0) {
      for (const [index, member] of node.members.entries())
        this.#member(member, { indent, lead: index === 0 ? lead : "" });
    } else if (node.kind === "sequence" && !node.isFlow && node.items.length > 0) {
      for (const [index, item] of node.items.entries()) this.#item(item, { indent, lead: index === 0 ? lead : "" });
    } else this.#inline(node, { indent, lead });
  }

  #member({ key, value, head, foot }: YamlMember, { indent, lead }: Place): void {
    this.comment(indent, head);
    const name = `${lead}${printInline(key)}:`;
    if (isBlock(value)) {
      this.#line(indent - lead.length, `${name}${propertiesOf(value)}${commentOf(key)}`);
      this.node(value, { indent: indent + 2, lead: "" });
    } else this.#inline(value, { indent, lead: `${name} `, outdent: lead.length });
    this.#foot(indent, foot);
  }

  #item({ value, head, foot }: YamlItem, { indent, lead }: Place): void {
    this.comment(indent, head);
    if (isBlock(value)) this.node(value, { indent: indent + 2, lead: `${lead}- ` });
    else this.#inline(value, { indent, lead: `${lead}- `, outdent: lead.length });
    this.#foot(indent, foot);
  }

  #inline(node: YamlNode, { indent, lead, outdent = lead.length }: Place & { readonly outdent?: number }): void {
    const [first = "", ...rest] = printInline(node).split("\n");
    this.#line(
      indent - outdent,
      `${lead}${propertiesOf(node).trimStart()}${propertiesOf(node) === "" ? "" : " "}${first}`.trimEnd() +
        commentOf(node),
    );
    for (const line of rest) this.#lines.push(line === "" ? "" : `${" ".repeat(indent + 2)}${line}`);
  }

  #foot(column: number, lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.comment(column, lines);
    this.#footColumn = column;
  }

  #line(column: number, text: string): void {
    if (this.#footColumn === column) this.#lines.push("");
    this.#footColumn = -1;
    this.#lines.push(`${" ".repeat(Math.max(0, column))}${text}`);
  }
}

function isBlock(node: YamlNode): boolean {
  if (node.kind === "mapping") return !node.isFlow && node.members.length > 0;
  return node.kind === "sequence" && !node.isFlow && node.items.length > 0;
}

function printInline(node: YamlNode, isInFlow = false): string {
  switch (node.kind) {
    case "scalar":
      return printText(node.value, node.style, isInFlow);
    case "source":
      return node.text;
    case "mapping": {
      const members = node.members.map(({ key, value }) =>
        `${printInline(key, true)}:${propertiesOf(value)} ${printInline(value, true)}`.trimEnd(),
      );
      return `{${members.join(", ")}}`;
    }
    case "sequence":
      return `[${node.items.map(({ value }) => `${propertiesOf(value)} ${printInline(value, true)}`.trim()).join(", ")}]`;
  }
}

function propertiesOf(node: YamlNode): string {
  return node.kind === "source" || node.properties === undefined ? "" : ` ${node.properties}`;
}

function commentOf({ lineComment }: YamlNode): string {
  return lineComment === undefined ? "" : ` ${lineComment}`;
}

/**
 * Prints a text as controller-gen's YAML library does: in the style that it has, or in the next that can hold it.
 *
 * Lines after the first are those of a block, without its indentation.
 */
export function printText(text: string, style: TextStyle, isInFlow = false): string {
  const chosen = isInFlow ? flowStyle(text, style) : chooseStyle(text, style);
  switch (chosen) {
    case "plain":
      return text;
    case "single-quoted":
      return `'${text.replaceAll("'", "''")}'`;
    case "literal":
      return `|${hintsOf(text)}\n${text.replace(/\n$/u, "")}`;
    case "folded":
      return `>${hintsOf(text)}\n${foldedLines(text)}`;
    case "double-quoted":
      return quote(text);
  }
}

const BREAK = /[\r\n\u0085\u2028\u2029]/u;
// A tab can be in a block; characters beyond the basic plane cannot.
const UNPRINTABLE = /[^\t\r\n\u0085\u2028\u2029\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/u;
const INDICATOR = /^[#,[\]{}&*!|>'"%@`]|^[?:-](?:[\s]|$)|^---|^\.\.\.|:(?:\s|$)|\s#/u;

function chooseStyle(text: string, style: TextStyle): Exclude<TextStyle, "free"> {
  const isSpecial = UNPRINTABLE.test(text) || / [\r\n\u0085\u2028\u2029]/u.test(text);
  const holdsBlock = text !== "" && !isSpecial && !text.endsWith(" ");
  const wanted = style === "free" ? freeStyle(text) : style;
  if (wanted === "double-quoted") return wanted;
  if (wanted === "literal" || wanted === "folded") return holdsBlock ? wanted : "double-quoted";
  const holdsQuotes = !isSpecial && !text.includes("\t") && !/[\r\n\u0085\u2028\u2029] /u.test(text);
  const isBlank = text === "" && style === "free";
  if (
    wanted === "plain" &&
    holdsQuotes &&
    !isBlank &&
    !BREAK.test(text) &&
    !/^ | $/u.test(text) &&
    !INDICATOR.test(text)
  )
    return "plain";
  return holdsQuotes ? "single-quoted" : "double-quoted";
}

// Between brackets there are no blocks, and more signs mean something.
function flowStyle(text: string, style: TextStyle): Exclude<TextStyle, "free"> {
  const chosen = chooseStyle(text, style);
  if (chosen === "literal" || chosen === "folded") return "double-quoted";
  return chosen === "plain" && /[,?[\]{}:]/u.test(text) ? "single-quoted" : chosen;
}

function freeStyle(text: string): Exclude<TextStyle, "free"> {
  if (text.includes("\n")) return "literal";
  return meansSomethingElse(text) ? "double-quoted" : "plain";
}

const WORD = /^(?:true|True|TRUE|false|False|FALSE|~|null|Null|NULL|\.nan|\.NaN|\.NAN|[-+]?\.(?:inf|Inf|INF))?$/u;
const NUMBER =
  /^(?:[-+]?(?:0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)$/u;
const TIME = /^\d{4}-\d{1,2}-\d{1,2}(?:[Tt ] *\d{1,2}:\d{1,2}:\d{1,2}(?:[.,]\d+)?(?:Z|[-+]\d\d:\d\d)?)?$/u;

// Reports whether a text without quotes would be read as no text.
function meansSomethingElse(text: string): boolean {
  return WORD.test(text) || (/^[-+.\d]/u.test(text) && NUMBER.test(text.replaceAll("_", ""))) || TIME.test(text);
}

function hintsOf(text: string): string {
  const indent = /^[ \r\n\u0085\u2028\u2029]/u.test(text) ? "2" : "";
  if (!text.endsWith("\n")) return `${indent}-`;
  return text === "\n" || text.endsWith("\n\n") ? `${indent}+` : indent;
}

// Every run of line breaks is one longer, except beside lines that begin with a blank.
function foldedLines(text: string): string {
  const lines: string[] = [];
  for (const [line = "", breaks = ""] of [...text.matchAll(/([^\n]*)(\n*)/gu)].map(([, ...parts]) => parts)) {
    if (line === "" && breaks === "") continue;
    lines.push(line, breaks, line !== "" && breaks !== "" && !line.startsWith(" ") ? "\n" : "");
  }
  return lines.join("").replace(/\n$/u, "");
}

const NAMED_ESCAPES: Readonly<Record<string, string>> = Object.fromEntries(
  String.raw`0\0 7\a 8\b 9\t a\n b\v c\f d\r 1b\e 22\" 5c\\ 85\N a0\_ 2028\L 2029\P`
    .split(" ")
    .map((each) => each.split(/(?=\\)(.*)/su))
    .map(([code = "", escaped = ""]) => [String.fromCharCode(Number.parseInt(code, 16)), escaped]),
);
const ESCAPED = /["\\\t\r\n\u0085\u2028\u2029]|[^\u0020-\u007e\u00a0-\ud7ff\ue000-\ufefe\uff00-\ufffd]/gu;

function quote(text: string): string {
  return `"${text.replaceAll(ESCAPED, escape)}"`;
}

function escape(character: string): string {
  const named = NAMED_ESCAPES[character];
  if (named !== undefined) return named;
  const point = character.codePointAt(0) ?? 0;
  const digits = point.toString(16).toUpperCase();
  if (point <= 0xff) return `\\x${digits.padStart(2, "0")}`;
  return point <= 0xffff ? `\\u${digits.padStart(4, "0")}` : `\\U${digits.padStart(8, "0")}`;
}
