import { isUtf8 } from "node:buffer";
import {
  accessSync,
  closeSync,
  constants,
  type Dirent,
  fsync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

import { UnreadableFileError } from "./errors.ts";
import type { ProjectReader } from "./file-tree.ts";

/** What kind of thing a path is. */
export type PathKind = "absent" | "file" | "folder" | "link" | "other";

/** The few operations on a disk that a commit consists of; tests put faults between them. Paths are absolute. */
export interface Disk {
  readonly kindOf: (path: string) => Promise<PathKind>;
  /** Says what kind of thing a path leads to, through links. */
  readonly targetKindOf: (path: string) => Promise<PathKind>;
  /** Returns the permissions of a file, or nothing when there is none. */
  readonly modeOf: (path: string) => Promise<number | undefined>;
  /** Returns the size of a file in bytes, or nothing when there is none. */
  readonly sizeOf: (path: string) => Promise<number | undefined>;
  /** Returns the text of a symbolic link. */
  readonly readLink: (path: string) => Promise<string>;
  /** Returns where a path leads when every link in it is followed. */
  readonly realPath: (path: string) => Promise<string>;
  readonly readFile: (path: string) => Promise<string>;
  readonly list: (path: string) => Promise<readonly string[]>;
  readonly isWritable: (path: string) => Promise<boolean>;
  /** Makes one folder; its parent must be there. */
  readonly makeFolder: (path: string) => Promise<void>;
  /** Writes a new file and waits until it is on the disk. Fails when there is one. */
  readonly writeSynced: (path: string, content: string, mode: number) => Promise<void>;
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Gives a file a second name. Fails when that is taken. */
  readonly link: (from: string, to: string) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  readonly removeFolder: (path: string) => Promise<void>;
  readonly removeTree: (path: string) => Promise<void>;
  /** Waits until the entries of a folder are on the disk. */
  readonly syncFolder: (path: string) => Promise<void>;
}

const syncOnThread = promisify(fsync);

// What waits for the disk itself is left to threads; the rest takes less time than it takes to hand it to one.
/** Is the disk of this machine. */
export const realDisk: Disk = {
  kindOf: async (target) => pathKindSync(target),
  targetKindOf: async (target) => targetKindSync(target),
  modeOf: async (target) => {
    const stat = lstatSync(target, { throwIfNoEntry: false });
    return stat === undefined ? undefined : stat.mode & 0o777;
  },
  sizeOf: async (target) => lstatSync(target, { throwIfNoEntry: false })?.size,
  readLink: async (target) => readlinkSync(target),
  realPath: async (target) => realpathSync(target),
  readFile: async (target) => readFileSync(target, "utf8"),
  list: async (target) => readdirSync(target),
  isWritable: async (target) => {
    try {
      accessSync(target, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  },
  makeFolder: async (target) => mkdirSync(target),
  writeSynced: async (target, content, mode) => {
    const file = openSync(target, "wx", mode);
    try {
      writeFileSync(file, content);
      await syncOnThread(file);
    } finally {
      closeSync(file);
    }
  },
  rename: async (from, to) => renameSync(from, to),
  link: async (from, to) => linkSync(from, to),
  remove: async (target) => unlinkSync(target),
  removeFolder: async (target) => rmdirSync(target),
  removeTree: async (target) => rmSync(target, { recursive: true, force: true }),
  syncFolder: async (target) => {
    // Windows cannot open a folder; its file systems keep the order of renames by themselves.
    if (process.platform === "win32") return;
    const folder = openSync(target, "r");
    try {
      await syncOnThread(folder);
    } finally {
      closeSync(folder);
    }
  },
};

/** Is the same disk for what can be regenerated: a commit outlasts the end of the process at any point, but not that of the machine. */
export const unsyncedDisk: Disk = {
  ...realDisk,
  writeSynced: async (target, content, mode) => writeFileSync(target, content, { flag: "wx", mode }),
  syncFolder: async () => undefined,
};

/** Returns a reader of the files below a folder, each of which it reads once: who asks again gets the same text. */
export function createDiskReader(root: string): ProjectReader {
  const texts = new Map<string, string | undefined>();
  return {
    read: (relative) => {
      if (!texts.has(relative)) texts.set(relative, readText(root, relative));
      return texts.get(relative);
    },
    isDangling: (relative) => isDangling(path.join(root, relative)),
    isUtf8: (relative) => isUtf8(readFileSync(path.join(root, relative))),
    list: () => listFiles(root),
    listBelow: (folder) => listBelow(root, folder),
  };
}

function readText(root: string, relative: string): string | undefined {
  try {
    return readFileSync(path.join(root, relative), "utf8");
  } catch (error) {
    if (isAbsent(error) || isFolder(error)) return undefined;
    throw new UnreadableFileError(relative, error);
  }
}

function listBelow(root: string, folder: string): readonly string[] {
  const target = path.join(root, folder);
  if (pathKindSync(target) !== "folder") return [];
  const entries = readdirSync(target, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll("\\", "/"))
    .toSorted();
}

// Folders that hold nothing a command would change; those that begin with a dot hold tools' own data, but for these.
const FOREIGN_FOLDERS = new Set(["node_modules", "dist", "bin", "coverage"]);
const OWN_DOT_FOLDERS = new Set([".github", ".devcontainer"]);

function listFiles(root: string, below = ""): readonly string[] {
  return entriesOf(root, below)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const relative = below === "" ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) return isForeign(entry.name, below) ? [] : listFiles(root, relative);
      return entry.isFile() ? [relative] : [];
    });
}

function entriesOf(root: string, below: string): readonly Dirent[] {
  try {
    return readdirSync(path.join(root, below), { withFileTypes: true });
  } catch (error) {
    throw new UnreadableFileError(below === "" ? root : below, error);
  }
}

function isForeign(name: string, below: string): boolean {
  if (name.startsWith(".")) return !OWN_DOT_FOLDERS.has(name);
  return below === "" ? FOREIGN_FOLDERS.has(name) : name === "node_modules";
}

/** Says what a path below a folder is, without following links. */
export function pathKindSync(target: string): PathKind {
  return kindWith(lstatSync, target);
}

/** Says what a path leads to; a link that leads nowhere, or to itself, leads to what is absent. */
export function targetKindSync(target: string): PathKind {
  return kindWith(statSync, target);
}

/** Reports whether a path is a link that leads nowhere. */
export function isDangling(target: string): boolean {
  return pathKindSync(target) === "link" && targetKindSync(target) === "absent";
}

function kindWith(stat: typeof statSync, target: string): PathKind {
  try {
    return kindOfStat(stat(target));
  } catch (error) {
    if (isAbsent(error) || systemCodeOf(error) === "ELOOP") return "absent";
    throw error;
  }
}

/** Reports whether a file is there and may be run. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the code of an error of the operating system, such as `ENOSPC`. */
export function systemCodeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

function kindOfStat(stat: {
  isFile: () => boolean;
  isDirectory: () => boolean;
  isSymbolicLink: () => boolean;
}): PathKind {
  if (stat.isSymbolicLink()) return "link";
  if (stat.isDirectory()) return "folder";
  return stat.isFile() ? "file" : "other";
}

function isAbsent(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

function isFolder(error: unknown): boolean {
  return systemCodeOf(error) === "EISDIR";
}
