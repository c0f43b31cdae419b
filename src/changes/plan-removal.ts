import type { FileTree } from "../machinery/file-tree.ts";
import { disableBlock, findLines, isMarker } from "../machinery/insertion-points.ts";
import { withoutLicenseHeader } from "../machinery/license-header.ts";
import type { Contributions } from "../plugin/contributions.ts";

/** What goes, and what stays although parts that go contribute to it too. */
interface RemovalRequest {
  readonly tree: FileTree;
  /** What the parts contribute that go. */
  readonly removed: Contributions;
  /** What the parts contribute that stay. */
  readonly kept: Contributions;
}

/** Why a removal would lose something of the user's, or leave something behind. */
export interface RemovalFinding {
  readonly path: string;
  readonly kind: "changed file" | "missing lines";
  readonly lines: readonly string[];
}

/**
 * Plans in the tree to take out what parts of a project contribute, and returns what is no longer as they made it.
 *
 * Guarantees: what other parts contribute too stays; with no findings, the tree is as it was before the parts were made.
 */
export function planRemoval({ tree, removed, kept }: RemovalRequest): readonly RemovalFinding[] {
  const files = [...removed.files].filter(([path]) => !kept.files.has(path));
  const findings = files.flatMap(([path, content]) => deleteFile(tree, path, content));
  const gone = new Set(files.map(([path]) => path));
  const staying = new Set([...kept.fragments, ...kept.blocks].map((each) => keyOf(each)));
  for (const fragment of removed.fragments.toReversed()) {
    if (gone.has(fragment.path) || staying.has(keyOf(fragment))) continue;
    findings.push(...change(tree, fragment, (content) => removeLines(content, fragment)));
    staying.add(keyOf(fragment));
  }
  for (const block of removed.blocks.toReversed()) {
    if (gone.has(block.path) || staying.has(keyOf(block))) continue;
    findings.push(
      ...change(tree, block, (content) => (opensMore(content, block) ? content : disableBlock(content, block))),
    );
    staying.add(keyOf(block));
  }
  return findings;
}

// A key that more is below than those lines that go, such as entries of the user's, has to stay.
function opensMore(content: string, { lines }: Lines): boolean {
  const [key, ...others] = lines;
  if (key === undefined || others.length > 0 || !key.endsWith(":")) return false;
  const present = content.split(/\r?\n/u);
  const at = present.findIndex((line) => line.trimEnd() === key);
  const next = present.slice(at + 1).find((line) => !/^\s*(?:#|$)/u.test(line));
  const indent = indentOf(key);
  if (at < 0 || next === undefined) return false;
  return indentOf(next) > indent || (indentOf(next) === indent && next.trim().startsWith("-"));
}

function indentOf(line: string): number {
  return /^ */u.exec(line)?.[0].length ?? 0;
}

function deleteFile(tree: FileTree, path: string, content: string): readonly RemovalFinding[] {
  const present = tree.read(path);
  if (present === undefined) return [];
  tree.delete(path);
  // A file keeps the license that the project had when it was made, whatever `edit --license` said since.
  const isOwn = withoutLicenseHeader(present) === withoutLicenseHeader(content);
  return isOwn ? [] : [{ path, kind: "changed file", lines: [] }];
}

interface Lines {
  readonly path: string;
  readonly lines: readonly string[];
}

function change(
  tree: FileTree,
  { path, lines }: Lines,
  remove: (content: string) => string | undefined,
): readonly RemovalFinding[] {
  const present = tree.read(path);
  if (present === undefined) return [];
  const changed = remove(present);
  if (changed === undefined) return [{ path, kind: "missing lines", lines }];
  tree.update(path, () => changed);
  return [];
}

function keyOf({ path, lines }: Lines): string {
  return JSON.stringify([path, lines]);
}

/** Lines that are in a file above or below an insertion marker and are to be taken out. */
interface Removal {
  readonly marker: string;
  readonly lines: readonly string[];
}

/**
 * Takes out lines that were inserted at a marker, and returns the text without them; nothing when they are not there as they were inserted.
 *
 * What formatters change does not count. Of several such groups the one nearest to the marker goes.
 */
export function removeLines(content: string, { marker, lines }: Removal): string | undefined {
  const present = content.split(/\r?\n/u);
  const ranges = findLines(present, lines);
  if (ranges.length === 0) return undefined;
  const at = Math.max(
    0,
    present.findIndex((line) => isMarker(line, marker)),
  );
  const [nearest] = ranges.toSorted((left, right) => Math.abs(left.start - at) - Math.abs(right.start - at));
  const { start, end } = nearest ?? { start: 0, end: 0 };
  return present.toSpliced(start, end - start).join(content.includes("\r\n") ? "\r\n" : "\n");
}
