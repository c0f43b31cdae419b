import { printText } from "./print-text.ts";
import type { YamlDocument, YamlItem, YamlMember, YamlNode } from "./yaml-tree.ts";

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

/** Where a value is printed: the column of its block, and what stands on the line already. */
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
