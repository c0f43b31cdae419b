/** A place in a YAML text at which lines are inserted. */
interface YamlPlace {
  readonly lines: readonly string[];
  /** The number of the line, from 0, above which lines are inserted. */
  readonly at: number;
  /** The column of the comment at that place. Formatters indent comments differently from the entries that they are between. */
  readonly column: number;
}

/**
 * Returns lines with the indentation of their siblings: entries of a list align with the entries above the place, keys with the keys.
 *
 * Of the lists that are open at the place, the comment belongs to the outermost one that does not start left of it.
 */
export function alignedWithSiblings(lines: readonly string[], place: YamlPlace): readonly string[] {
  const [first = ""] = lines;
  const own = columnOf(first);
  const column = siblingColumn(place, /^\s*-(?:\s|$)/u.test(first) ? "list" : "mapping");
  return lines.map((line) =>
    line.trim() === "" ? "" : " ".repeat(Math.max(0, column + columnOf(line) - own)) + line.trimStart(),
  );
}

function siblingColumn({ lines, at, column }: YamlPlace, kind: Collection["kind"]): number {
  const open = openCollections(lines.slice(0, at), entryColumnBelow(lines.slice(at)) ?? column);
  const columns = open.filter((each) => each.kind === kind).map((each) => each.column);
  return columns.findLast((each) => each >= column) ?? columns[0] ?? column;
}

// Of an entry that is inserted first, the siblings are below.
function entryColumnBelow(lines: readonly string[]): number | undefined {
  const next = lines.find((line) => !/^\s*(?:#|$)/u.test(line));
  return next !== undefined && /^\s*-\s/u.test(next) ? columnOf(next) : undefined;
}

interface Collection {
  readonly kind: "list" | "mapping";
  readonly column: number;
}

/** Returns the lists and mappings that are open behind the last of some lines, the innermost first: their columns decrease. */
function openCollections(lines: readonly string[], column: number): readonly Collection[] {
  const start = lines.findLastIndex((line) => /^---(?:\s|$)/u.test(line)) + 1;
  const filled = lines.slice(start).filter((line) => !/^\s*(?:#|$)/u.test(line));
  const last = filled.at(-1);
  const opened = last === undefined ? undefined : collectionsIn(last)[0];
  const isOpening = last !== undefined && /:\s*(?:#.*)?$/u.test(last) && column >= (opened?.column ?? 0);
  const found: Collection[] = isOpening ? [{ kind: "list", column }] : [];
  let inner: Collection | undefined;
  for (const each of filled.toReversed().flatMap((line) => collectionsIn(line))) {
    // Entries may start in the column of the key that they belong to.
    const isKeyOfInner = each.kind === "mapping" && inner?.kind === "list" && each.column === inner.column;
    if (inner !== undefined && each.column >= inner.column && !isKeyOfInner) continue;
    found.push(each);
    inner = each;
  }
  return found;
}

/** Returns the lists and mappings that a line has an entry of, the innermost first. */
function collectionsIn(line: string): readonly Collection[] {
  const dashes = /^\s*(?:-\s+)*(?:-$)?/u.exec(line)?.[0] ?? "";
  const lists = [...dashes.matchAll(/-/gu)].map(({ index }): Collection => ({ kind: "list", column: index }));
  const isKey = startsWithKey(line.slice(dashes.length));
  const mappings: readonly Collection[] = isKey ? [{ kind: "mapping", column: dashes.length }] : [];
  return [...mappings, ...lists.toReversed()];
}

function startsWithKey(text: string): boolean {
  if (/^["']/u.test(text)) return /^(?:"[^"]*"|'[^']*')\s*:(?:\s|$)/u.test(text);
  const [content = ""] = text.split(/\s#/u, 1);
  return !/^[[\]{}#&*!|>%@`]/u.test(content) && /:(?:\s|$)/u.test(content);
}

function columnOf(line: string): number {
  return /^ */u.exec(line)?.[0].length ?? 0;
}
