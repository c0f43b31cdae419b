import { printYaml } from "@kubescaffold/k8s/yaml";
import { type Manifest, nameOf } from "kubescaffold/plugin";

import type { ChartFacts } from "./facts.ts";
import { fallbackObjects } from "./fallback-objects.ts";
import { managerTemplate } from "./manager-template.ts";
import { namesFor } from "./names.ts";
import type { Entry, Item, Node } from "./node.ts";
import { fileNameFor, folderFor, type ObjectTemplate, objectTemplate } from "./object-template.ts";

/** The first line of every template that is made: a file with it is overwritten, and deleted when it is no longer generated. */
export const MADE =
  "{{- /* Made of config/ by `scaffold edit --plugins=helm/v2-alpha`, and made anew by it. Without this line the file is yours. */ -}}";

/** Returns the templates of a chart, one for each object, by their paths below the chart's folder `templates`. */
export function chartTemplates(facts: ChartFacts): ReadonlyMap<string, string> {
  const all = { ...facts, bundle: { ...facts.bundle, others: [...facts.bundle.others, ...fallbackObjects(facts)] } };
  const names = namesFor(all);
  const files = new Map([["manager/manager.yaml", textOf(managerTemplate(all, names))]]);
  for (const manifest of all.bundle.others)
    files.set(pathFor(manifest, all, files), textOf(objectTemplate(manifest, all, names)));
  return files;
}

// Two objects of one name get the kind in the names of their files.
function pathFor(manifest: Manifest, facts: ChartFacts, taken: ReadonlyMap<string, string>): string {
  const path = `${folderFor(manifest)}/${fileNameFor(manifest, facts)}`;
  const withKind = `${path}-${manifest.kind.toLowerCase()}`;
  const free = [path, withKind, `${withKind}-${nameOf(manifest).length}`].find((each) => !taken.has(`${each}.yaml`));
  return `${free ?? withKind}.yaml`;
}

function textOf({ condition, node }: ObjectTemplate): string {
  const text = printTemplate(node);
  return condition === "" ? `${MADE}\n${text}` : `${MADE}\n{{- if ${condition} }}\n${text}{{- end }}\n`;
}

/**
 * Prints a template.
 *
 * Guarantees: what is plain in it comes out of the renderer as it is, braces too.
 */
function printTemplate(node: Node): string {
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
