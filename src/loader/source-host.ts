import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";

/** An entry of a folder. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: "file" | "directory" | "other";
}

/** The disk as the loader sees it; paths are absolute. */
export interface SourceHost {
  /** Returns the text of a file, undefined when it cannot be read. */
  readonly readFile: (path: string) => string | undefined;
  /** Lists a folder sorted by name, undefined when it is none. */
  readonly listDirectory: (path: string) => readonly DirectoryEntry[] | undefined;
  /** Says what is at a path. */
  readonly kindOf: (path: string) => "file" | "directory" | "missing";
  /** Returns the path without links. */
  readonly realPath: (path: string) => string;
}

/** Makes the host that reads the real disk. Fails: with the error of the system when it has a fault, or nothing left to read with. */
export function createDiskHost(): SourceHost {
  return {
    readFile: (path) => attempt(() => readFileSync(path, "utf8").replace(/^\uFEFF/u, "")),
    listDirectory: (path) => attempt(() => listSorted(path)),
    kindOf: (path) => attempt(() => kindOfPath(path)) ?? "missing",
    realPath: (path) => attempt(() => realpathSync(path)) ?? path,
  };
}

function listSorted(path: string): readonly DirectoryEntry[] {
  return readdirSync(path, { withFileTypes: true })
    .map((entry): DirectoryEntry => ({
      name: entry.name,
      kind: entry.isFile() ? "file" : entry.isDirectory() ? "directory" : "other",
    }))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

// Pipes and devices are no files, since reading one may never end.
function kindOfPath(path: string): "file" | "directory" | "missing" {
  const stats = statSync(path);
  if (stats.isDirectory()) return "directory";
  return stats.isFile() ? "file" : "missing";
}

// What fails now may be there the next time: to go on without it would generate something else, or delete what was generated.
const FAULTS = new Set(["EIO", "EMFILE", "ENFILE", "ENOMEM", "EBUSY", "ESTALE", "EAGAIN"]);

// What is missing or forbidden is an answer here; the caller reports it with the path that the user gave.
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && "code" in error && FAULTS.has(String(error.code))) throw error;
    return undefined;
  }
}
