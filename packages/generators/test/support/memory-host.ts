import path from "node:path";

import type { DirectoryEntry, SourceHost } from "../../src/loader/source-host.ts";

/** Makes a disk in memory from texts by absolute path. */
export function memoryHost(files: Readonly<Record<string, string>>): SourceHost {
  const paths = Object.keys(files);
  const isDirectory = (folder: string): boolean => paths.some((file) => file.startsWith(`${folder}/`));
  return {
    readFile: (file) => files[file],
    listDirectory: (folder) => (isDirectory(folder) ? entriesOf(folder, paths) : undefined),
    kindOf: (file) => (files[file] === undefined ? (isDirectory(file) ? "directory" : "missing") : "file"),
    realPath: (file) => path.normalize(file),
  };
}

function entriesOf(folder: string, paths: readonly string[]): readonly DirectoryEntry[] {
  const below = paths
    .filter((file) => file.startsWith(`${folder}/`))
    .map((file) => file.slice(folder.length + 1).split("/"));
  const kinds = new Map(below.map(([name = "", ...rest]) => [name, rest.length === 0 ? "file" : "directory"] as const));
  return [...kinds]
    .map(([name, kind]) => ({ name, kind }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
