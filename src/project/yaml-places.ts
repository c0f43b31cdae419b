import { isMap, isNode, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml";

/**
 * Returns what tells the line, from 1, of a field in one of the documents of a text that are not empty.
 *
 * A field is named as API servers do, such as `spec.ports[0].name`. Of one that is not there the line is that of the nearest field above it.
 */
export function createLineFinder(text: string): (document: number, field: string) => number {
  const placeOf = createPlaceFinder(text);
  return (document, field) => placeOf(document, field).line;
}

/** Returns what tells the line and the column, both from 1, of a field, as {@link createLineFinder} does. */
export function createPlaceFinder(
  text: string,
): (document: number, field: string) => { readonly line: number; readonly column: number } {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: lines });
  const contents = [...parsed].map((each) => each.contents).filter((each) => isMap(each) || isSeq(each));
  return (document, field) => {
    const content = contents[document];
    if (content === undefined) return { line: 1, column: 1 };
    const { line, col } = lines.linePos(offsetOf(content, stepsOf(field)));
    return { line, column: col };
  };
}

// Keys of maps are in brackets: they may have dots.
function stepsOf(field: string): readonly string[] {
  return [...field.matchAll(/\[(?<inner>[^[\]]*)\]|(?<name>[^.[\]]+)/gu)].map(
    ({ groups }) => groups?.["inner"] ?? groups?.["name"] ?? "",
  );
}

function offsetOf(content: Node, steps: readonly string[]): number {
  let node: unknown = content;
  let offset = content.range?.[0] ?? 0;
  for (const step of steps) {
    const next = childOf(node, step);
    if (next === undefined) break;
    offset = next.offset ?? offset;
    node = next.node;
  }
  return offset;
}

interface Child {
  readonly node: unknown;
  readonly offset: number | undefined;
}

function childOf(node: unknown, step: string): Child | undefined {
  if (isSeq(node)) {
    const item = node.items[Number(step)];
    return isNode(item) ? { node: item, offset: item.range?.[0] } : undefined;
  }
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isNode(key) && String(key) === step);
  return pair === undefined ? undefined : { node: pair.value, offset: (pair.key as Node).range?.[0] };
}
