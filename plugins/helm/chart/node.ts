import type { Json } from "kubescaffold/plugin";

/** A piece of a template: a value as it is, what the renderer computes, or a mapping or list of such. */
export type Node =
  | { readonly kind: "plain"; readonly value: Json }
  | { readonly kind: "expression"; readonly text: string }
  | { readonly kind: "mapping"; readonly entries: readonly Entry[] }
  | { readonly kind: "list"; readonly items: readonly Item[] };

/** A key with its value, or lines for the renderer; those that need to know how far they are indented are computed. */
export type Entry = { readonly kind: "entry"; readonly key: string; readonly value: Node } | Lines;

/** An item of a list, or lines for the renderer. */
export type Item = { readonly kind: "item"; readonly value: Node } | Lines;

interface Lines {
  readonly kind: "lines";
  readonly lines: (indent: number) => readonly string[];
}

/** A value as it is; braces in it are escaped. */
export function plain(value: Json): Node {
  return { kind: "plain", value };
}

/** What the renderer computes, written as it is to be in the template. */
export function expression(text: string): Node {
  return { kind: "expression", text };
}

/** A mapping of entries. */
export function mapping(...entries: readonly Entry[]): Node {
  return { kind: "mapping", entries };
}

/** A list of items. */
export function list(...items: readonly Item[]): Node {
  return { kind: "list", items };
}

/** A key with its value. */
export function entry(key: string, value: Node): Entry {
  return { kind: "entry", key, value };
}

/** An item of a list. */
export function item(value: Node): Item {
  return { kind: "item", value };
}

/** Lines that are in the template as they are. */
export function lines(...texts: readonly string[]): Lines {
  return { kind: "lines", lines: () => texts };
}

/** Lines that know how far they are indented. */
export function indented(compute: (indent: number) => readonly string[]): Lines {
  return { kind: "lines", lines: compute };
}

/** Entries that are there when a condition holds. */
export function when<T>(condition: string, ...parts: readonly T[]): readonly (T | Lines)[] {
  return condition === "" ? parts : [lines(`{{- if ${condition} }}`), ...parts, lines("{{- end }}")];
}

/** A key whose value is taken from the values of the chart, and which is absent where they have none. */
export function fromValues(key: string, path: string): Lines {
  return indented((indent) => [
    `{{- with ${path} }}`,
    `${key}:`,
    `  {{- toYaml . | nindent ${indent + 2} }}`,
    "{{- end }}",
  ]);
}
