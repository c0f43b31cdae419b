import path from "node:path";

import type { SourceContents } from "./source-contents.ts";
import type { SourceHost } from "./source-host.ts";

export interface OptionalFilesOptions {
  readonly host: SourceHost;
  readonly root: string;
  /** The sources outside the packages of the run that kinds reach, relative to the root. */
  readonly files: readonly string[];
  readonly contentsOf: (file: string) => SourceContents | undefined;
}

const MARKER = "+kubebuilder:validation:Optional";

/** Finds the sources outside the packages of a run whose own package says that properties are optional unless a marker says otherwise. */
export function findOptionalFiles({ host, root, files, contentsOf }: OptionalFilesOptions): ReadonlySet<string> {
  const folders = new Map<string, string[]>();
  for (const file of files) {
    const folder = path.posix.dirname(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const optional = [...folders].filter(([folder, own]) => saysOptional({ host, root, folder, files: own, contentsOf }));
  return new Set(optional.flatMap(([, own]) => own));
}

interface FolderOptions extends OptionalFilesOptions {
  readonly folder: string;
}

// Where a package says what holds for all of it, beside the sources that are reached.
const PACKAGE_FILES = ["doc.ts", "groupversion_info.ts"];

function saysOptional({ folder, files, contentsOf, host, root }: FolderOptions): boolean {
  const known = PACKAGE_FILES.map((name) => path.posix.join(folder, name)).filter(
    (file) => host.kindOf(path.resolve(root, file)) === "file",
  );
  return [...new Set([...files, ...known])].some((file) => hasMarker(contentsOf(file)));
}

// A comment of its own above a type is the package's where it means nothing to the type.
function hasMarker(contents: SourceContents | undefined): boolean {
  if (contents === undefined) return false;
  const above = [...contents.declarations.values()].flatMap(({ comments }) =>
    comments.markers.filter(({ isAdjacent }) => !isAdjacent),
  );
  return [...contents.markers, ...above].some(({ text }) => text === MARKER);
}
