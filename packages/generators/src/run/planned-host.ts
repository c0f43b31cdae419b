import path from "node:path";

import { createDiskHost, type DirectoryEntry, type SourceHost } from "../loader/source-host.ts";

/** One file of a plan: its path relative to the root with forward slashes, and its text, or nothing when it is to go. */
export interface PlannedFile {
  /** The path, relative to the root. */
  readonly path: string;
  /** The planned text; undefined for a file that is deleted. */
  readonly content: string | undefined;
}

/** Makes a host that reads the disk as it will be once a plan has been carried out. */
export function createPlannedHost(
  root: string,
  files: readonly PlannedFile[],
  disk: SourceHost = createDiskHost(),
): SourceHost {
  const planned = new Map(files.map((file) => [path.resolve(root, file.path), file.content] as const));
  const folders = foldersOf(planned);
  return {
    readFile: (file) => (planned.has(file) ? planned.get(file) : disk.readFile(file)),
    listDirectory: (folder) => mergeEntries(disk.listDirectory(folder), folders.get(folder)),
    kindOf: (target) => {
      if (planned.has(target)) return planned.get(target) === undefined ? "missing" : "file";
      return folders.has(target) ? "directory" : disk.kindOf(target);
    },
    realPath: (target) => disk.realPath(target),
  };
}

type PlannedFolder = Map<string, DirectoryEntry["kind"] | "missing">;

// What the plan says of the entries of each folder.
function foldersOf(planned: ReadonlyMap<string, string | undefined>): ReadonlyMap<string, PlannedFolder> {
  const folders = new Map<string, PlannedFolder>();
  const filled = new Set<string>();
  const note = (target: string, kind: DirectoryEntry["kind"] | "missing"): void => {
    const parent = path.dirname(target);
    if (parent === target) return;
    const entries = folders.get(parent) ?? new Map<string, DirectoryEntry["kind"] | "missing">();
    entries.set(path.basename(target), kind);
    folders.set(parent, entries);
    // A folder is there because of what is in it; that something goes says nothing about its folder.
    if (kind === "missing" || filled.has(parent)) return;
    filled.add(parent);
    note(parent, "directory");
  };
  for (const [file, content] of planned) note(file, content === undefined ? "missing" : "file");
  return folders;
}

function mergeEntries(
  onDisk: readonly DirectoryEntry[] | undefined,
  planned: PlannedFolder | undefined,
): readonly DirectoryEntry[] | undefined {
  if (planned === undefined) return onDisk;
  if (onDisk !== undefined && isKept(onDisk, planned)) return onDisk;
  const kept = (onDisk ?? []).filter((entry) => !planned.has(entry.name));
  const added = [...planned].flatMap(([name, kind]) => (kind === "missing" ? [] : [{ name, kind }]));
  return [...kept, ...added].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

// Most plans write files where some are.
function isKept(onDisk: readonly DirectoryEntry[], planned: PlannedFolder): boolean {
  const same = onDisk.filter(({ name, kind }) => planned.get(name) === kind);
  return (
    same.length === [...planned.values()].filter((kind) => kind !== "missing").length &&
    !onDisk.some(({ name }) => planned.get(name) === "missing")
  );
}
