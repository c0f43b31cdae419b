import path from "node:path";

import { ts } from "ts-morph";

/** Where a source was, where it is to be, and what else moves; paths are relative to the project with forward slashes. */
export interface SourceMove {
  readonly from: string;
  readonly to: string;
  /** The new paths of moved files, by their old ones. */
  readonly moved: ReadonlyMap<string, string>;
}

/**
 * Returns the text of a source with its relative imports leading where they led before the move, and its steps up to the root of the project
 * (`import.meta.dirname, "../.."`) recounted.
 *
 * Guarantees: nothing else of the text changes.
 */
export function rewriteImports(text: string, move: SourceMove): string {
  const specifiers = ts.preProcessFile(text, true, true).importedFiles;
  const changes = specifiers.flatMap(({ fileName, pos }) => {
    const changed = movedSpecifier(fileName, move);
    if (changed === fileName) return [];
    // The parser counts from the quote in some forms of import and from behind it in others.
    const start = text.indexOf(fileName, pos);
    return [{ start, end: start + fileName.length, text: changed }];
  });
  const rewritten = changes
    .toSorted((left, right) => right.start - left.start)
    .reduce((result, { start, end, text: changed }) => result.slice(0, start) + changed + result.slice(end), text);
  return rewritten.replaceAll(
    /(?<before>import\.meta\.dirname,\s*)"(?<steps>\.\.(?:\/\.\.)*)"/gu,
    (whole, before: string, steps: string) =>
      path.posix.join(path.posix.dirname(move.from), steps) === "."
        ? `${before}"${path.posix.relative(path.posix.dirname(move.to), ".")}"`
        : whole,
  );
}

function movedSpecifier(specifier: string, { from, to, moved }: SourceMove): string {
  if (!/^\.\.?\//u.test(specifier)) return specifier;
  const target = path.posix.join(path.posix.dirname(from), specifier);
  const next = moved.get(target) ?? target;
  if (next === target && path.posix.dirname(from) === path.posix.dirname(to)) return specifier;
  const relative = path.posix.relative(path.posix.dirname(to), next);
  return relative.startsWith(".") ? relative : `./${relative}`;
}
