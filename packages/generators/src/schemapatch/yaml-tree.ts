/** How a text is written; `free` leaves the choice to the printer. */
export type TextStyle = "plain" | "single-quoted" | "double-quoted" | "literal" | "folded" | "free";

/** A value of a YAML document, with the way it is written and the comment behind it. */
export type YamlNode =
  | {
      readonly kind: "scalar";
      readonly value: string;
      readonly style: TextStyle;
      /** An anchor and a tag, as they are before the value. */
      readonly properties?: string;
      lineComment?: string;
    }
  | {
      readonly kind: "mapping";
      readonly members: readonly YamlMember[];
      readonly isFlow: boolean;
      readonly properties?: string;
      lineComment?: string;
    }
  | {
      readonly kind: "sequence";
      readonly items: readonly YamlItem[];
      readonly isFlow: boolean;
      readonly properties?: string;
      lineComment?: string;
    }
  /** What is printed as it stands: an alias, or a collection on one line with comments in it. */
  | { readonly kind: "source"; readonly text: string; lineComment?: string };

/** The comments around a member or an item: lines with their `#`, empty ones between groups. */
export interface YamlComments {
  head: readonly string[];
  foot: readonly string[];
}

/** A member of a mapping. */
export interface YamlMember extends YamlComments {
  readonly key: Extract<YamlNode, { kind: "scalar" }>;
  readonly value: YamlNode;
}

/** An item of a sequence. */
export interface YamlItem extends YamlComments {
  readonly value: YamlNode;
}

/** A document with the comments at its ends. */
export interface YamlDocument extends YamlComments {
  readonly root: YamlNode;
}

/** Returns the value of a member of a mapping; undefined where there is none. */
export function memberOf(node: YamlNode | undefined, name: string): YamlNode | undefined {
  return node?.kind === "mapping" ? node.members.find((each) => each.key.value === name)?.value : undefined;
}

/** Returns the text behind a path of members; undefined where there is none. */
export function textAt(node: YamlNode, path: readonly string[]): string | undefined {
  const found = path.reduce<YamlNode | undefined>((at, name) => memberOf(at, name), node);
  return found?.kind === "scalar" ? found.value : undefined;
}

/** Returns a node with another value behind a path of members; what is missing on the way is added at the end, its keys in double quotes. */
export function withMember(node: YamlNode, [name, ...rest]: readonly string[], value: YamlNode): YamlNode {
  if (name === undefined) return value;
  if (node.kind !== "mapping") return node;
  const found = node.members.find((each) => each.key.value === name);
  if (found === undefined) {
    const key = { kind: "scalar", value: name, style: "double-quoted" } as const;
    const empty: YamlNode = { kind: "mapping", members: [], isFlow: false };
    return { ...node, members: [...node.members, { head: [], foot: [], key, value: withMember(empty, rest, value) }] };
  }
  const changed = { ...found, value: withMember(found.value, rest, value) };
  return { ...node, members: node.members.map((each) => (each === found ? changed : each)) };
}

/** Returns a node without the member that a path leads to. */
export function withoutMember(node: YamlNode, [name, ...rest]: readonly string[]): YamlNode {
  if (node.kind !== "mapping") return node;
  if (rest.length === 0) return { ...node, members: node.members.filter((each) => each.key.value !== name) };
  return {
    ...node,
    members: node.members.map((each) =>
      each.key.value === name ? { ...each, value: withoutMember(each.value, rest) } : each,
    ),
  };
}
