import { EVENT_ID, type Event, getScalarValue, parseEvents } from "js-yaml";

import { DEEPEST_YAML } from "./check-nodes.ts";

/** A key that a mapping has for the second time, or a later one. */
export interface DuplicateYamlKey {
  /** The key as text. */
  readonly key: string;
  /** The line, from 1. */
  readonly line: number;
}

/**
 * Returns the keys that mappings of a text state more than once, in the order of the text. The text must be one that {@link readYaml} reads.
 *
 * @example
 * duplicateYamlKeys("a: 1\na: 2\n"); // [{ key: "a", line: 2 }]
 */
export function duplicateYamlKeys(text: string): readonly DuplicateYamlKey[] {
  const source = text.replace(/^\ufeff/, "");
  const events = parseEvents(source, { maxDepth: DEEPEST_YAML + 2 });
  const open: Collection[] = [];
  const duplicates: DuplicateYamlKey[] = [];
  for (const event of events) {
    if (event.type === EVENT_ID.POP) {
      open.pop();
      continue;
    }
    if (event.type === EVENT_ID.DOCUMENT) {
      // It is ended by a POP, like a collection.
      open.push({ keys: undefined, isKeyNext: false });
      continue;
    }
    const parent = open.at(-1);
    if (parent?.keys !== undefined) {
      if (parent.isKeyNext) noteKey({ event, keys: parent.keys, source }, duplicates);
      parent.isKeyNext = !parent.isKeyNext;
    }
    if (event.type === EVENT_ID.MAPPING) open.push({ keys: new Set(), isKeyNext: true });
    if (event.type === EVENT_ID.SEQUENCE) open.push({ keys: undefined, isKeyNext: false });
  }
  return duplicates;
}

interface Collection {
  /** The keys so far; undefined for what is no mapping. */
  readonly keys: Set<string> | undefined;
  isKeyNext: boolean;
}

function noteKey(
  { event, keys, source }: { readonly event: Event; readonly keys: Set<string>; readonly source: string },
  duplicates: DuplicateYamlKey[],
): void {
  if (event.type !== EVENT_ID.SCALAR) return;
  const key = getScalarValue(source, event);
  if (keys.has(key)) duplicates.push({ key, line: source.slice(0, event.valueStart).split("\n").length });
  keys.add(key);
}
