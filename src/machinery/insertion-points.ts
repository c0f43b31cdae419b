import { breakLongLine } from "./break-lines.ts";
import { InsertionPointMissingError } from "./errors.ts";

/** Lines to be inserted above an insertion marker of a file, such as `+kubebuilder:scaffold:imports`. */
export interface Fragment {
  /** The file, relative to the project. */
  readonly path: string;
  /** The name after `+kubebuilder:scaffold:`. */
  readonly marker: string;
  /** The lines to insert, without the indentation of the marker. */
  readonly lines: readonly string[];
  /** Where the marker of the name occurs more than once, the text that the line above it has to contain; all of them when omitted. */
  readonly position?: "above" | "below";
}

/**
 * Inserts lines at an insertion marker, with the marker's indentation in front of each; in YAML, with the indentation of their siblings.
 *
 * The marker is found whatever the formatting around it: any comment sign, spacing and indentation. Guarantees: lines that are in the file
 * already, one after the other and whatever their indentation and quotes, are not inserted again; line ends stay as they are in the file.
 * Fails: {@link InsertionPointMissingError} that says what to insert where.
 */
export function insertAtMarker(content: string, fragment: Fragment): string {
  if (containsLines(content, fragment.lines)) return content;
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  const lines = content.split(/\r?\n/u);
  const index = lines.findIndex((line) => isMarker(line, fragment.marker));
  if (index < 0) throw missing(fragment);
  const indent = /^\s*/u.exec(lines[index] ?? "")?.[0] ?? "";
  const inserted = isYaml(fragment.path)
    ? alignedWithSiblings(fragment.lines, { lines, at: index, column: indent.length })
    : indentedLines(fragment, indent);
  lines.splice(fragment.position === "below" ? index + 1 : index, 0, ...inserted);
  return lines.join(lineEnd);
}

function indentedLines({ path, lines }: Fragment, indent: string): readonly string[] {
  const indented = lines.map((line) => (line === "" ? "" : indent + line));
  return path.endsWith(".ts") ? indented.flatMap((line) => breakLongLine(line)) : indented;
}

function isYaml(path: string): boolean {
  return /\.ya?ml$/u.test(path);
}

/** Reports whether a file has the insertion marker of this name. */
export function hasMarker(content: string, marker: string): boolean {
  return content.split(/\r?\n/u).some((line) => isMarker(line, marker));
}

/** Reports whether a line is the insertion marker of this name, whatever its comment sign and spacing. */
export function isMarker(line: string, marker: string): boolean {
  const comment =
    /^\s*(?:\/\/|#|\/?\*+|<!--)\s*\+\s*kubebuilder\s*:\s*scaffold\s*:\s*(?<name>[\w-]+)\s*(?:(?:\*\/|-->)\s*)?$/u.exec(
      line,
    );
  return comment?.groups?.["name"] === marker;
}

/** Reports whether lines are in a text one after the other; what formatters change and empty lines do not count. */
export function containsLines(content: string, lines: readonly string[]): boolean {
  const isFilled = (line: string): boolean => comparable(line) !== "";
  const wanted = lines.filter((line) => isFilled(line));
  if (!content.includes(longestWord(wanted))) return false;
  const present = content.split(/\r?\n/u).filter((line) => isFilled(line));
  if (wanted.length === 0 || findLines(present, wanted).length > 0) return true;
  return isCode(wanted) && squeezed(present).includes(squeezed(wanted));
}

// Formatters do not break words, so a text without the word needs no parsing.
function longestWord(lines: readonly string[]): string {
  const words = lines.flatMap((line) => line.match(/\w+/gu) ?? []);
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), "");
}

function missing({ path, marker, lines }: Fragment): InsertionPointMissingError {
  const sign = /\.(?:ya?ml|sh)$|(?:^|\/)(?:Dockerfile|Makefile)$/u.test(path) ? "#" : "//";
  const what = `the insertion marker \`${sign} +kubebuilder:scaffold:${marker}\``;
  return new InsertionPointMissingError({ path, what, lines: [...lines, `${sign} +kubebuilder:scaffold:${marker}`] });
}

/** Where lines are in a text: the number of the first, from 0, and of the one after the last. */
interface LineRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds where lines are in a text one after the other, in each of the places.
 *
 * What formatters change does not count: indentation, quotes, commas and semicolons at line ends, and for code the line breaks too.
 */
export function findLines(present: readonly string[], lines: readonly string[]): readonly LineRange[] {
  const wanted = lines.map((line) => comparable(line));
  if (wanted.length === 0) return [];
  const exact = present.flatMap((_, start) =>
    wanted.every((line, offset) => {
      const found = present[start + offset];
      return found !== undefined && comparable(found) === line;
    })
      ? [{ start, end: start + wanted.length }]
      : [],
  );
  return exact.length > 0 || !isCode(wanted) ? exact : findBroken(present, squeezed(wanted));
}

/** Reports whether lines are code, which formatters break and join; entries of a list, which have no brackets, would be found inside longer ones. */
function isCode(lines: readonly string[]): boolean {
  return /[({]/u.test(lines.join(""));
}

/** Returns a line without what formatters change: indentation, kind of quotes, and the sign at its end. */
function comparable(line: string): string {
  return line.trim().replaceAll(/["'`]/gu, '"').replaceAll(/\s+/gu, " ").replace(/[;,]$/u, "");
}

/** Returns lines as one text without white space, commas and semicolons. */
function squeezed(lines: readonly string[]): string {
  return lines
    .map((line) => comparable(line))
    .join("")
    .replaceAll(/[\s;,]/gu, "");
}

function findBroken(present: readonly string[], wanted: string): readonly LineRange[] {
  const parts = present.map((line) => squeezed([line]));
  return parts.flatMap((part, start) => {
    if (part === "" || !wanted.startsWith(part)) return [];
    let text = "";
    let end = start;
    while (end < parts.length && text.length < wanted.length && wanted.startsWith(text)) {
      text += parts[end] ?? "";
      end += 1;
    }
    return text === wanted ? [{ start, end }] : [];
  });
}

/** A block of lines that is in a file as comments and is to be switched on, or is on and is to be switched off. */
export interface CommentedBlock {
  readonly path: string;
  readonly lines: readonly string[];
}

/**
 * Takes the comment signs from a block of lines.
 *
 * The block is found whatever its indentation, and whatever trailing comments its lines have got. Guarantees: a block that is on already stays as it is.
 * Fails: {@link InsertionPointMissingError} that says which lines belong into the file.
 */
export function enableBlock(content: string, block: CommentedBlock): string {
  const wanted = block.lines.filter((line) => line.trim() !== "");
  const lines = content.split(/\r?\n/u);
  if (findBlock(lines, wanted, stripNothing) >= 0) return content;
  const start = findBlock(lines, wanted, stripComment);
  if (start < 0) {
    throw new InsertionPointMissingError({
      path: block.path,
      what: `the block \`${wanted[0]?.trim() ?? ""}\``,
      lines: wanted,
    });
  }
  const lineEnd = content.includes("\r\n") ? "\r\n" : "\n";
  const aligned = isYaml(block.path)
    ? alignedWithSiblings(wanted, { lines, at: start, column: commentedColumn(lines[start] ?? "") })
    : wanted;
  return replaceBlock(lines, start, aligned).join(lineEnd);
}

/**
 * Puts comment signs before a block of lines that is on; returns nothing when it is not there.
 *
 * Guarantees: {@link enableBlock} makes of the result what was there before.
 */
export function disableBlock(content: string, block: CommentedBlock): string | undefined {
  const wanted = block.lines.filter((line) => line.trim() !== "");
  const lines = content.split(/\r?\n/u);
  const start = findBlock(lines, wanted, stripNothing);
  if (start < 0) return undefined;
  const result = [...lines];
  let left = wanted.length;
  for (let at = start; left > 0; at += 1) {
    if (isBlank(result[at])) continue;
    result[at] = `#${result[at] ?? ""}`;
    left -= 1;
  }
  return result.join(content.includes("\r\n") ? "\r\n" : "\n");
}

function findBlock(
  lines: readonly string[],
  wanted: readonly string[],
  strip: (line: string) => string | undefined,
): number {
  return lines.findIndex((_, start) => {
    let at = start;
    for (const line of wanted) {
      while (at > start && isBlank(lines[at])) at += 1;
      if (!matches(lines[at], line, strip)) return false;
      at += 1;
    }
    return true;
  });
}

function matches(line: string | undefined, wanted: string, strip: (line: string) => string | undefined): boolean {
  const text = line === undefined ? undefined : strip(line);
  return text !== undefined && bare(text) === bare(wanted);
}

// White space, a trailing comment, and quotes, which formatters change, carry no meaning here.
function bare(text: string): string {
  return text
    .replace(/\s#.*$/su, "")
    .replaceAll(/["']/gu, "")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function stripNothing(line: string): string | undefined {
  return /^\s*#/u.test(line) ? undefined : line;
}

function stripComment(line: string): string | undefined {
  return /^\s*#(?<text>.*)$/u.exec(line)?.groups?.["text"];
}

// One space behind the sign is not indentation.
function commentedColumn(line: string): number {
  const { before = "", inside = "" } = /^(?<before>\s*)#(?<inside>\s*)/u.exec(line)?.groups ?? {};
  return before.length + (inside.length === 1 ? 0 : inside.length);
}

function isBlank(line: string | undefined): boolean {
  return line !== undefined && ["", "#"].includes(line.trim());
}

function replaceBlock(lines: readonly string[], start: number, wanted: readonly string[]): readonly string[] {
  const result = [...lines];
  let at = start;
  for (const line of wanted) {
    while (isBlank(result[at])) at += 1;
    const trailing = /\s(?<comment>#.*)$/su.exec(stripComment(result[at] ?? "") ?? "")?.groups?.["comment"];
    const keepsComment = trailing !== undefined && !line.includes(trailing);
    result[at] = keepsComment ? `${line} ${trailing}` : line;
    at += 1;
  }
  return result;
}

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
function alignedWithSiblings(lines: readonly string[], place: YamlPlace): readonly string[] {
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
