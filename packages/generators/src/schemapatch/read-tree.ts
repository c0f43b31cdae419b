import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type Pair,
  type ParsedNode,
  type Scalar,
} from "yaml";

import { attachComments, type Entry } from "./attach-comments.ts";
import type { TextStyle, YamlDocument, YamlItem, YamlMember, YamlNode } from "./yaml-tree.ts";

/** Reads the first document of a YAML text with its comments and the way its values are written; undefined for what does not parse or holds nothing. */
export function readTree(text: string): YamlDocument | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    schema: "failsafe",
    uniqueKeys: false,
    lineCounter: lines,
    prettyErrors: false,
  });
  if (document.contents === null || document.errors.length > 0) return undefined;
  const reader = new TreeReader(text, lines);
  const root = reader.read(document.contents, undefined);
  return attachComments({ text, root, entries: reader.entries, sourceOf: reader.places });
}

/** Turns the nodes of the library into ours, and notes where entries and values stand. */
class TreeReader {
  /** The members and items of collections over several lines, in the order of the text. */
  readonly entries: Entry[] = [];
  /** The ends of values, by the offset. */
  readonly places = new Map<YamlNode, readonly [start: number, end: number]>();
  readonly #text: string;
  readonly #lines: LineCounter;

  constructor(text: string, lines: LineCounter) {
    this.#text = text;
    this.#lines = lines;
  }

  read(node: ParsedNode, parent: Entry | undefined): YamlNode {
    const made = this.#make(node, parent);
    this.places.set(made, [node.range[0], node.range[1]]);
    return made;
  }

  #make(node: ParsedNode, parent: Entry | undefined): YamlNode {
    const [start, end] = node.range;
    if (isAlias(node)) return { kind: "source", text: this.#text.slice(start, end) };
    const properties = propertiesOf(node);
    if (isScalar(node)) return { kind: "scalar", value: node.source, style: styleOf(node), ...properties };
    const isFlow = isCollection(node) && node.flow === true;
    if (isFlow && this.#hasComment(start, end)) return { kind: "source", text: this.#text.slice(start, end) };
    if (isMap(node))
      return {
        kind: "mapping",
        isFlow,
        members: node.items.map((pair) => this.#member(pair, isFlow, parent)),
        ...properties,
      };
    if (isSeq(node))
      return {
        kind: "sequence",
        isFlow,
        items: node.items.map((item) => this.#item(item, isFlow, parent)),
        ...properties,
      };
    return { kind: "source", text: this.#text.slice(start, end) };
  }

  #member(pair: Pair<ParsedNode, ParsedNode | null>, isFlow: boolean, parent: Entry | undefined): YamlMember {
    const member: { -readonly [K in keyof YamlMember]: YamlMember[K] } = {
      head: [],
      foot: [],
      key: { kind: "scalar", value: "", style: "plain" },
      value: EMPTY,
    };
    const entry = this.#note(member, { offset: pair.key.range[0], isFlow, parent });
    const key = this.read(pair.key, entry);
    if (key.kind === "scalar") member.key = key;
    member.value = pair.value === null ? { ...EMPTY } : this.read(pair.value, entry);
    return member;
  }

  #item(node: ParsedNode, isFlow: boolean, parent: Entry | undefined): YamlItem {
    const item: { -readonly [K in keyof YamlItem]: YamlItem[K] } = { head: [], foot: [], value: EMPTY };
    // The dash is the last one before the item.
    const dash = isFlow ? node.range[0] : this.#text.lastIndexOf("-", node.range[0] - 1);
    const entry = this.#note(item, { offset: dash, isFlow, parent });
    item.value = this.read(node, entry);
    return item;
  }

  #note(
    owner: Entry["owner"],
    place: { readonly offset: number; readonly isFlow: boolean; readonly parent: Entry | undefined },
  ): Entry {
    const { line, col } = this.#lines.linePos(place.offset);
    const entry: Entry = { owner, offset: place.offset, line, indent: col - 1, parent: place.parent };
    if (!place.isFlow) this.entries.push(entry);
    return entry;
  }

  #hasComment(start: number, end: number): boolean {
    return /(?:^|\s)#/u.test(this.#text.slice(start, end).replaceAll(/(?<!\\)"(?:[^"\\]|\\.)*"|'[^']*'/gu, '""'));
  }
}

const EMPTY: Extract<YamlNode, { kind: "scalar" }> = { kind: "scalar", value: "", style: "plain" };

const STYLES: Readonly<Record<string, TextStyle>> = {
  PLAIN: "plain",
  QUOTE_SINGLE: "single-quoted",
  QUOTE_DOUBLE: "double-quoted",
  BLOCK_LITERAL: "literal",
  BLOCK_FOLDED: "folded",
};

function styleOf(node: Scalar): TextStyle {
  return STYLES[node.type ?? "PLAIN"] ?? "plain";
}

function propertiesOf(node: ParsedNode): { readonly properties?: string } {
  const anchor = "anchor" in node && node.anchor !== undefined ? [`&${node.anchor}`] : [];
  const tag = node.tag === undefined ? [] : [node.tag.replace(/^tag:yaml\.org,2002:/u, "!!")];
  const properties = [...anchor, ...tag].join(" ");
  return properties === "" ? {} : { properties };
}
