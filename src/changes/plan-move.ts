import path from "node:path";

import type { FileTree } from "../machinery/file-tree.ts";
import { containsLines } from "../machinery/insertion-points.ts";
import { licenseHeader, withoutLicenseHeader } from "../machinery/license-header.ts";
import { replaceLines } from "../machinery/replace-lines.ts";
import type { Contributions } from "../plugin/contributions.ts";

/** One part of a project as it was scaffolded, and as it would be scaffolded now. */
export interface MovedPart {
  readonly before: Contributions;
  readonly after: Contributions;
}

/** What a move is planned with; `rewriteImports` is handed in, since it loads the parser of TypeScript. */
export interface MoveRequest {
  readonly tree: FileTree;
  readonly parts: readonly MovedPart[];
  readonly rewriteImports: (
    text: string,
    move: { readonly from: string; readonly to: string; readonly moved: ReadonlyMap<string, string> },
  ) => string;
  /** Changes the text of files that were changed by hand, beside their imports. */
  readonly adapt?: (text: string, path: string) => string;
}

/**
 * Plans in the tree to make of parts what they would be if they were scaffolded now, and returns the lines that could not be replaced.
 *
 * Guarantees: a file that was not changed by hand becomes what the scaffold writes now, under the license that it has; one that was keeps its text, but for its relative imports;
 * all imports of the project lead where they led before.
 */
export function planMove(request: MoveRequest): readonly string[] {
  const { tree, parts } = request;
  const targets = fileTargets(tree, parts);
  const moved = new Map([...targets].map(([from, [to = from]]) => [from, to]));
  const fresh = moveFiles(request, targets, moved);
  const notes = replaceFragments(tree, parts, moved);
  rewriteOthers(request, { moved, fresh });
  return notes;
}

type Targets = ReadonlyMap<string, readonly string[]>;

// A file that several parts share may go to several places.
function fileTargets(tree: FileTree, parts: readonly MovedPart[]): Targets {
  const targets = new Map<string, Set<string>>();
  for (const { before, after } of parts) {
    const next = [...after.files.keys()];
    [...before.files.keys()].forEach((from, index) => {
      const to = next[index] ?? from;
      targets.set(from, (targets.get(from) ?? new Set()).add(to));
    });
  }
  return new Map([
    ...neighbors(tree, targets),
    ...[...targets]
      .map(([from, to]) => [from, [...to]] as const)
      .filter(([from, to]) => to.length > 1 || to[0] !== from),
  ]);
}

// What a person has put beside files that all go to one folder goes with them.
function neighbors(tree: FileTree, targets: ReadonlyMap<string, ReadonlySet<string>>): Targets {
  const folders = new Map<string, Set<string>>();
  for (const [from, tos] of targets) {
    const known = folders.get(path.posix.dirname(from)) ?? new Set();
    for (const to of tos) known.add(path.posix.dirname(to));
    folders.set(path.posix.dirname(from), known);
  }
  const others = tree.files().filter((file) => !targets.has(file) && file.endsWith(".ts"));
  return new Map(
    others.flatMap((file) => {
      const [only, ...more] = folders.get(path.posix.dirname(file)) ?? [];
      const isMoved = only !== undefined && more.length === 0 && only !== path.posix.dirname(file);
      return isMoved ? [[file, [`${only}/${path.posix.basename(file)}`]] as const] : [];
    }),
  );
}

// Returns the paths of files that are as the scaffold writes them: nothing in them is to be rewritten.
function moveFiles(
  { tree, parts, rewriteImports, adapt }: MoveRequest,
  targets: Targets,
  moved: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const before = new Map(parts.flatMap((part) => [...part.before.files]));
  const after = new Map(parts.flatMap((part) => [...part.after.files]));
  const fresh = new Set<string>();
  for (const [from, content] of before) {
    const present = tree.read(from);
    if (present === undefined) continue;
    for (const to of targets.get(from) ?? [from]) {
      const isOwn = withoutLicenseHeader(present) === withoutLicenseHeader(content);
      if (isOwn) fresh.add(to);
      const text = isOwn
        ? relicensed(after.get(to), present)
        : adapted(present, { from, to, moved, rewriteImports, adapt });
      tree.create(to, text, { ifExists: "overwrite", movedFrom: from });
    }
    if (targets.has(from) && targets.get(from)?.includes(from) !== true) tree.delete(from);
  }
  for (const [from, [to = from]] of targets) {
    const present = before.has(from) ? undefined : tree.read(from);
    if (present === undefined) continue;
    const text = adapted(present, { from, to, moved, rewriteImports, adapt });
    tree.create(to, text, { ifExists: "overwrite", movedFrom: from });
    tree.delete(from);
  }
  return new Set([...fresh, ...[...targets.values()].flat()]);
}

// A file keeps the license that the project had when it was made.
function relicensed(content: string | undefined, present: string): string {
  return content === undefined ? present : licenseHeader(present) + withoutLicenseHeader(content);
}

interface Adaptation extends Pick<MoveRequest, "rewriteImports"> {
  readonly from: string;
  readonly to: string;
  readonly moved: ReadonlyMap<string, string>;
  readonly adapt: MoveRequest["adapt"];
}

function adapted(text: string, { from, to, moved, rewriteImports, adapt }: Adaptation): string {
  const rewritten = from.endsWith(".ts") ? rewriteImports(text, { from, to, moved }) : text;
  return adapt === undefined ? rewritten : adapt(rewritten, to);
}

function replaceFragments(
  tree: FileTree,
  parts: readonly MovedPart[],
  moved: ReadonlyMap<string, string>,
): readonly string[] {
  return parts.flatMap(({ before, after }) =>
    before.fragments.flatMap((fragment, index) => {
      const next = after.fragments[index];
      // A file of several groups becomes one per group.
      const file =
        next !== undefined && tree.exists(next.path) ? next.path : (moved.get(fragment.path) ?? fragment.path);
      const present = tree.read(file);
      if (next === undefined || present === undefined || containsLines(present, next.lines)) return [];
      const replaced = replaceLines(present, file, fragment.lines, next.lines);
      if (replaced === undefined) return [`${file}: review the counterpart of \`${next.lines.join(" ").trim()}\``];
      tree.update(file, () => replaced);
      return [];
    }),
  );
}

function rewriteOthers(
  { tree, rewriteImports, adapt }: MoveRequest,
  { moved, fresh }: { readonly moved: ReadonlyMap<string, string>; readonly fresh: ReadonlySet<string> },
): void {
  for (const file of tree.files()) {
    if (!file.endsWith(".ts") || fresh.has(file)) continue;
    const present = tree.readExisting(file);
    const text = rewriteImports(present, { from: file, to: file, moved });
    const next = adapt === undefined ? text : adapt(text, file);
    if (next !== present) tree.update(file, () => next);
  }
}
