import { printYaml } from "@kubescaffold/k8s/yaml";

import type { Entry, Item, Node } from "./node.ts";

/**
 * Prints a template.
 *
 * Guarantees: what is plain in it comes out of the renderer as it is, braces too.
 */
export function printTemplate(node: Node): string {
  return `${linesOf(node, 0).join("\n")}\n`;
}

/** Escapes what a renderer would take for its own. */
export function escapeBraces(text: string): string {
  return text.replaceAll("{{", '{{ "{{" }}');
}

function linesOf(node: Node, indent: number): readonly string[] {
  switch (node.kind) {
    case "plain":
      return escapeBraces(printYaml(node.value)).trimEnd().split("\n");
    case "expression":
      return [node.text];
    case "mapping":
      return node.entries.flatMap((each) => entryLines(each, indent));
    case "list":
      return node.items.flatMap((each) => itemLines(each, indent));
  }
}

function entryLines(entry: Entry, indent: number): readonly string[] {
  if (entry.kind === "lines") return entry.lines(indent);
  const { key, value } = entry;
  if (value.kind === "plain") return plainEntry(key, value.value);
  if (value.kind === "expression") return [`${keyText(key)}: ${value.text}`];
  const isEmpty = value.kind === "mapping" ? value.entries.length === 0 : value.items.length === 0;
  if (isEmpty) return [`${keyText(key)}: ${value.kind === "mapping" ? "{}" : "[]"}`];
  const below = value.kind === "mapping" ? 2 : 0;
  return [`${keyText(key)}:`, ...shifted(linesOf(value, indent + below), below)];
}

function plainEntry(key: string, value: unknown): readonly string[] {
  return escapeBraces(printYaml({ [key]: value }))
    .trimEnd()
    .split("\n");
}

function keyText(key: string): string {
  return escapeBraces(printYaml({ [key]: null }))
    .trimEnd()
    .replace(/: null$/u, "");
}

function itemLines(item: Item, indent: number): readonly string[] {
  if (item.kind === "lines") return item.lines(indent);
  const [first = "", ...rest] = linesOf(item.value, indent + 2);
  return [`- ${first}`, ...shifted(rest, 2)];
}

function shifted(lines: readonly string[], by: number): readonly string[] {
  const space = " ".repeat(by);
  return lines.map((line) => (line === "" ? "" : space + line));
}
