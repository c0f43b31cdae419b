import { isMap, isScalar, LineCounter, type Pair, parseDocument, type YAMLMap } from "yaml";

/** A YAML text with keys added to it, and which those are, with dots between the keys of a path. */
export interface CompletedText {
  /** The whole text. */
  readonly text: string;
  /** The lines that were added, without indentation. */
  readonly added: readonly string[];
}

/**
 * Adds to a YAML text the keys that another has and it lacks, at every depth, with their values and the comments right above them.
 *
 * Guarantees: every line that was there stays as it is. A mapping on one line gets nothing.
 */
export function addMissingKeys(present: string, wanted: string): CompletedText {
  const [target, source] = [readText(present), readText(wanted)];
  if (source.root === undefined) return { text: present, added: [] };
  if (target.root === undefined) {
    const isBlank = target.isEmpty && source.root.items.length > 0;
    return isBlank
      ? { text: `${present}${endOf(present)}${wanted}`, added: source.root.items.map((each) => keyOf(each)) }
      : { text: present, added: [] };
  }
  const additions = compare({ target, source, path: [] }, target.root, source.root, source.lines.length);
  // What goes in at one place goes into the innermost mapping first.
  const innermostFirst = additions.toSorted((left, right) => right.depth - left.depth);
  return { text: insertAll(target.lines, innermostFirst), added: additions.map(({ path }) => path) };
}

interface ReadText {
  readonly root: YAMLMap | undefined;
  readonly isEmpty: boolean;
  readonly lines: readonly string[];
  /** The number of the line, from 0, that holds a character. */
  readonly lineOf: (offset: number) => number;
}

function readText(text: string): ReadText {
  const lineCounter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter });
  const lines = text.replace(/\n$/u, "").split("\n");
  return {
    root: isMap(contents) ? contents : undefined,
    isEmpty: contents === null,
    lines,
    lineOf: (offset) => lineCounter.linePos(offset).line - 1,
  };
}

interface Addition {
  readonly path: string;
  readonly depth: number;
  /** The line in front of which the lines go. */
  readonly at: number;
  readonly lines: readonly string[];
}

interface Comparison {
  readonly target: ReadText;
  readonly source: ReadText;
  readonly path: readonly string[];
}

// `end` is the line behind the last one of the wanted mapping.
function compare(comparison: Comparison, present: YAMLMap, wanted: YAMLMap, end: number): readonly Addition[] {
  if (present.flow === true) return [];
  const { target, source, path } = comparison;
  const starts = wanted.items.map((each) => startLine(source, each));
  return wanted.items.flatMap((pair, index): readonly Addition[] => {
    const key = keyOf(pair);
    const below = [...path, key];
    const until = starts[index + 1] ?? end;
    const own = present.items.find((each) => keyOf(each) === key);
    if (own === undefined) {
      const lines = trimBlank(source.lines.slice(starts[index], until));
      const change = columnOf(target, present) - columnOf(source, wanted);
      const isTop = path.length === 0;
      const moved = lines.map((line) => reindent(line, change));
      return [
        {
          path: below.join("."),
          depth: path.length,
          at: endLine(target, present),
          lines: isTop ? ["", ...moved] : moved,
        },
      ];
    }
    const areMaps = isMap(own.value) && isMap(pair.value) && pair.value.flow !== true;
    return areMaps ? compare({ ...comparison, path: below }, own.value as YAMLMap, pair.value as YAMLMap, until) : [];
  });
}

function keyOf({ key }: Pair): string {
  return String(isScalar(key) ? key.value : key);
}

function keyOffset({ key }: Pair): number {
  return isScalar(key) ? (key.range?.[0] ?? 0) : 0;
}

// The first of the comments right above a key.
function startLine(text: ReadText, pair: Pair): number {
  let line = text.lineOf(keyOffset(pair));
  while (line > 0 && text.lines[line - 1]?.trimStart().startsWith("#") === true) line -= 1;
  return line;
}

// The line behind what a mapping says, and behind comments that are at its keys' depth.
function endLine(text: ReadText, map: YAMLMap): number {
  const column = columnOf(text, map);
  let line = text.lineOf(Math.max((map.range?.[1] ?? 1) - 1, 0));
  while (line > 0 && (text.lines[line] ?? "").trim() === "") line -= 1;
  line += 1;
  while (line < text.lines.length) {
    const next = text.lines[line] ?? "";
    const isComment = next.trimStart().startsWith("#") && next.length - next.trimStart().length >= Math.max(column, 1);
    if (!isComment) break;
    line += 1;
  }
  return column === 0 ? text.lines.length : line;
}

function columnOf(text: ReadText, { items: [first] }: YAMLMap): number {
  if (first === undefined) return 0;
  const line = text.lines[text.lineOf(keyOffset(first))] ?? "";
  return line.length - line.trimStart().length;
}

function reindent(line: string, change: number): string {
  if (line === "") return line;
  return change >= 0 ? " ".repeat(change) + line : line.slice(-change);
}

function trimBlank(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && (lines[end - 1] ?? "").trim() === "") end -= 1;
  return lines.slice(0, end);
}

function insertAll(lines: readonly string[], additions: readonly Addition[]): string {
  const result = lines.flatMap((line, index) => [
    ...additions.filter(({ at }) => at === index).flatMap((each) => each.lines),
    line,
  ]);
  const last = additions.filter(({ at }) => at >= lines.length).flatMap((each) => each.lines);
  return `${[...result, ...last].join("\n")}\n`;
}

function endOf(text: string): string {
  return text === "" || text.endsWith("\n") ? "" : "\n";
}
