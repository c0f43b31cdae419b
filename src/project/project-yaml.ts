import { isRecord } from "@kubescaffold/platform";
import { type Document, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";

/**
 * Reads the plain YAML that this program writes itself: maps and lists in lines, of words and simple texts, below a comment.
 *
 * Guarantees: what is returned is what the text says, and printing it as YAML gives the text again, byte for byte. Returns nothing for any other text,
 * which may be YAML anyway: there are faster ways to read many short lines than a library that reads everything.
 */
export function readPlainYaml(text: string): unknown {
  const lines = text.split("\n");
  // The last line has its end, too.
  if (lines.pop() !== "") return undefined;
  const start = lines.findIndex((line) => !/^# \S(?:.*\S)?$/u.test(line));
  const reader = new PlainReader(lines, start);
  const value = start < 0 ? undefined : reader.readMap(0);
  return reader.isAtEnd ? value : undefined;
}

const LINE = /^(?<indent>(?: {2})*)(?<dash>- )?(?:(?<key>[A-Za-z][\w./-]{0,127}):(?: (?<value>\S.*))?|(?<item>\S.*))$/u;
// The last alternative is a version such as 0.1.0, which is not a number.
const WORD = /^(?:[A-Za-z](?:[\w./-]*\w)?|\d+\.\d+\.\d+)$/u;
const QUOTED = /^(?:"[\w ./-]*"|'@[\w./-]*')$/u;
const NOT_A_WORD = /^(?:true|false|null|yes|no|on|off|y|n)$/iu;

class PlainReader {
  readonly #lines: string[];
  #at: number;

  constructor(lines: readonly string[], start: number) {
    this.#lines = [...lines];
    this.#at = start;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  /** Reads the map whose keys have so many blanks before them; nothing where it is none. */
  readMap(indent: number): unknown {
    const map = new Map<string, unknown>();
    for (let line = this.#peek(indent); line?.key !== undefined && line.dash === undefined; line = this.#peek(indent)) {
      const { key } = line;
      const value =
        this.#take(readScalar(line.value)) ?? (line.value === undefined ? this.#readBelow(indent) : undefined);
      if (value === undefined || map.has(key) || NOT_A_WORD.test(key)) return undefined;
      map.set(key, value);
    }
    return map.size === 0 ? undefined : Object.fromEntries(map);
  }

  #readList(indent: number): unknown {
    const items: unknown[] = [];
    for (let line = this.#peek(indent); line?.dash !== undefined; line = this.#peek(indent)) {
      const value = line.key === undefined ? this.#take(readScalar(line.item)) : this.#readItemMap(indent);
      if (value === undefined) return undefined;
      items.push(value);
    }
    return items;
  }

  // The dash takes the place of the blanks that the other keys of the item have.
  #readItemMap(indent: number): unknown {
    this.#lines[this.#at] = `${" ".repeat(indent + 2)}${this.#lines[this.#at]?.slice(indent + 2) ?? ""}`;
    return this.readMap(indent + 2);
  }

  // A list stands as far to the left as its key, a map further to the right.
  #readBelow(indent: number): unknown {
    return this.#peek(indent)?.dash === undefined ? this.readMap(indent + 2) : this.#readList(indent);
  }

  #take<T>(value: T): T {
    this.#at += 1;
    return value;
  }

  #peek(indent: number): PlainLine | undefined {
    const groups = LINE.exec(this.#lines[this.#at] ?? "")?.groups as unknown as PlainLine | undefined;
    return groups?.indent.length === indent ? groups : undefined;
  }
}

interface PlainLine {
  readonly indent: string;
  readonly dash?: string;
  readonly key?: string;
  readonly value?: string;
  readonly item?: string;
}

function readScalar(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  if (text === "true" || text === "false") return text === "true";
  if (text === "{}") return {};
  if (QUOTED.test(text)) return text.slice(1, -1);
  return WORD.test(text) && !NOT_A_WORD.test(text) ? text : undefined;
}

/**
 * Changes a YAML document so that it holds `after` where it held `before`, touching only what differs.
 *
 * Guarantees: comments and keys outside the differences stay as they are; a new key is in alphabetical order.
 */
export function applyChanges(document: Document, change: { readonly before: unknown; readonly after: unknown }): void {
  if (!isMap(document.contents)) document.contents = document.createNode({}) as never;
  const root = document.contents;
  root.flow = false;
  applyToMap(document, root, change);
}

type Change = { readonly before: unknown; readonly after: unknown };

function applyToMap(document: Document, map: YAMLMap, { before, after }: Change): void {
  const old = asRecord(before);
  const next = asRecord(after);
  for (const key of Object.keys(old)) if (!(key in next)) map.delete(key);
  for (const key of Object.keys(next).toSorted())
    applyToKey(document, { map, key, before: old[key], after: next[key] });
}

function applyToKey(document: Document, at: Change & { readonly map: YAMLMap; readonly key: string }): void {
  const { map, key, before, after } = at;
  if (sameValue(before, after)) return;
  const node: unknown = map.get(key, true);
  if (isMap(node) && isRecord(after)) return applyToMap(document, node, { before, after });
  if (isSeq(node) && Array.isArray(after)) return applyToSequence(document, node, { before, after });
  if (isScalar(node) && !isRecord(after) && !Array.isArray(after)) {
    node.value = after;
    return;
  }
  insertSorted(map, document, { key, value: after });
}

function applyToSequence(document: Document, sequence: YAMLSeq, { before, after }: Change): void {
  const old = before as readonly unknown[];
  const next = after as readonly unknown[];
  dropMissing(sequence, old, next);
  const kept = old.length > next.length ? old.filter((each) => next.some((other) => sameValue(each, other))) : old;
  for (const [index, value] of next.entries()) {
    if (index < kept.length && sameValue(kept[index], value)) continue;
    const node: unknown = sequence.items[index];
    if (index < kept.length && isMap(node) && isRecord(value)) {
      applyToMap(document, node, { before: kept[index], after: value });
    } else {
      sequence.items[index] = createSorted(document, value);
    }
  }
  sequence.items.length = next.length;
}

function dropMissing(sequence: YAMLSeq, old: readonly unknown[], next: readonly unknown[]): void {
  if (old.length <= next.length) return;
  sequence.items = sequence.items.filter((_, index) => next.some((value) => sameValue(value, old[index])));
}

function insertSorted(
  map: YAMLMap,
  document: Document,
  entry: { readonly key: string; readonly value: unknown },
): void {
  map.delete(entry.key);
  const pair = document.createPair(entry.key, createSorted(document, entry.value));
  const position = map.items.findIndex((item) => String(item.key) > entry.key);
  if (position < 0) map.items.push(pair);
  else map.items.splice(position, 0, pair);
}

function createSorted(document: Document, value: unknown): never {
  return document.createNode(sortKeys(value)) as never;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isRecord(value)) return value;
  const entries = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, each]) => [key, sortKeys(each)]));
}

function sameValue(left: unknown, right: unknown): boolean {
  return left === right || JSON.stringify(sortKeys(left)) === JSON.stringify(sortKeys(right));
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) : {};
}

/**
 * Returns a text as a YAML value that every parser reads as this text, those of YAML 1.1 included: quoted where it would be a boolean, a number, or null.
 *
 * `kubectl` and kustomize read YAML 1.1, for which `on` and `y` are booleans, and `1_000` is a number.
 */
export function yamlScalar(text: string): string {
  return isPlain(text) ? text : JSON.stringify(text);
}

function isPlain(text: string): boolean {
  return /^\w[\w./-]*$/u.test(text) && !isReservedScalar(text);
}

/** Reports whether YAML 1.1 or 1.2 reads a text without quotes as a boolean, a number, or null. */
export function isReservedScalar(text: string): boolean {
  return KEYWORD.test(text) || NUMBER.test(text);
}

const KEYWORD = /^(?:y|n|yes|no|on|off|true|false|null)$/iu;
const NUMBER = /^(?:0[xob][\da-f_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.[\d_]+)(?:e[-+]?\d+)?|e[-+]?\d+|\d{4}-\d\d?-\d\d?)$/iu;
