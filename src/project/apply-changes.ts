import { isRecord } from "@kubescaffold/k8s";
import { type Document, isMap, isScalar, isSeq, type YAMLMap, type YAMLSeq } from "yaml";

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
