import fs from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

/** One operation of the file system below the watched folder. */
export interface Operation {
  readonly name: string;
  readonly path: string;
  readonly kind: "read" | "write";
}

/** Is called before each operation; what it throws is the operation's failure. */
export type Before = (operation: Operation) => void;

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown;

const SYNC = {
  write:
    "appendFileSync chmodSync copyFileSync cpSync linkSync mkdirSync mkdtempSync renameSync rmSync rmdirSync symlinkSync truncateSync unlinkSync utimesSync writeFileSync",
  read: "accessSync lstatSync readFileSync readdirSync readlinkSync statSync",
} as const;
const ASYNC = {
  write:
    "appendFile chmod copyFile cp link mkdir mkdtemp open rename rm rmdir symlink truncate unlink utimes writeFile",
  read: "access lstat readFile readdir readlink stat",
} as const;
const OF_HANDLES = {
  write: "appendFile chmod datasync sync truncate write writeFile",
  read: "read readFile stat",
} as const;

/**
 * Lets every operation of this process below a folder pass by a callback while some work runs: those of Node's modules, as every library calls them.
 *
 * Guarantees: afterwards the modules are as before, whatever became of the work.
 */
export async function watchOperations<T>(root: string, before: Before, work: () => Promise<T>): Promise<T> {
  const undo = [...patch(fs, SYNC, { root, before }), ...patch(fs.promises, ASYNC, { root, before })];
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    for (const each of undo) each();
    syncBuiltinESMExports();
  }
}

const CALLS: Readonly<Record<string, string>> = {
  appendFile: "open",
  copyFile: "copyfile",
  readFile: "open",
  readdir: "scandir",
  writeFile: "open",
};

/** Returns the error that Node gives when the system refuses an operation. */
export function refusal(code: string, { name, path }: Operation): Error {
  const member = name.replace(/Sync$/u, "").replace(/^handle\./u, "");
  const syscall = name.startsWith("handle.") ? "write" : (CALLS[member] ?? member);
  const message = `${code}: refused for the test, ${syscall} '${path}'`;
  return Object.assign(new Error(message), { code, syscall, path });
}

interface Watch {
  readonly root: string;
  readonly before: Before;
}

function patch(
  module: object,
  names: Readonly<Record<Operation["kind"], string>>,
  { root, before }: Watch,
): readonly (() => void)[] {
  const members = module as Record<string, AnyFunction>;
  return (["write", "read"] as const).flatMap((kind) =>
    names[kind].split(" ").flatMap((name) => {
      const original = members[name];
      if (original === undefined) return [];
      const isAsync = members === (fs.promises as unknown);
      members[name] = function watched(...args) {
        const [found] = args.slice(0, 2).flatMap((each) => pathBelow(root, each));
        if (found === undefined) return original.apply(this, args);
        const told = (): void => before({ name, path: found, kind });
        if (!isAsync) {
          told();
          return original.apply(this, args);
        }
        return (async () => {
          told();
          const made = await original.apply(this, args);
          return name === "open" ? watchedHandle(made as FileHandle, found, before) : made;
        })();
      };
      return [() => void (members[name] = original)];
    }),
  );
}

// A descriptor is always closed, as the system does it for a process that dies.
function watchedHandle(handle: FileHandle, file: string, before: Before): FileHandle {
  const members = handle as unknown as Record<string, AnyFunction>;
  for (const kind of ["write", "read"] as const) {
    for (const name of OF_HANDLES[kind].split(" ")) {
      const original = members[name];
      if (original === undefined) continue;
      members[name] = async (...args) => {
        try {
          before({ name: `handle.${name}`, path: file, kind });
        } catch (error) {
          // What a process leaves that dies, or finds no more room, while it writes.
          if (name === "writeFile") await original.call(handle, String(args[0]).slice(0, String(args[0]).length / 2));
          throw error;
        }
        return await original.apply(handle, args);
      };
    }
  }
  return handle;
}

function pathBelow(root: string, value: unknown): readonly string[] {
  if (typeof value !== "string" && !(value instanceof URL)) return [];
  const target = value instanceof URL ? value.pathname : path.resolve(value);
  return target === root || target.startsWith(root + path.sep) ? [target] : [];
}
