import { ScaffoldError } from "@kubescaffold/k8s";

import { systemCodeOf } from "./disk.ts";
import { DiskError } from "./errors.ts";

type Reasons = Readonly<Record<string, readonly [reason: string, wayOut: string]>>;

const REASONS: Reasons = {
  ENOSPC: ["the disk is full", "free some space and run the command again"],
  EDQUOT: ["the disk quota is used up", "free some space and run the command again"],
  EROFS: ["the file system is read-only", "use a writable file system"],
  EACCES: ["permission is denied", "grant the current user access"],
  ENAMETOOLONG: ["the name is too long", "choose a shorter name"],
  ENOTDIR: ["a file is in the place of a folder", "choose another path, or move the file"],
  EEXIST: ["a file is in the place of a folder", "choose another path, or move the file"],
  EISDIR: ["a folder is in its place", "choose another path, or move the folder"],
  EPERM: ["the operation is not permitted", "grant the current user access"],
};

/** Returns the error that tells a user why the disk refused something; an error that is not of the operating system, or explains itself, is returned as it is. */
export function diskFailure(error: unknown, told: Told): unknown {
  return explained(error, REASONS, told);
}

/** What could not be done, and what became of it or what to do. */
interface Told {
  readonly what: string;
  readonly outcome: string;
}

function explained(error: unknown, reasons: Reasons, told: Told): unknown {
  const code = systemCodeOf(error);
  if (code === undefined || error instanceof ScaffoldError) return error;
  const [reason, wayOut] = reasons[code] ??
    notCreated(error, code) ?? [
      error instanceof Error ? error.message : code,
      "check the disk and run the command again",
    ];
  return new DiskError(`cannot ${told.what}: ${reason} (${code})`, {
    hint: `${wayOut}; ${told.outcome}`,
    cause: error,
  });
}

function notCreated(error: unknown, code: string): Reasons[string] | undefined {
  return code === "ENOENT" ? NOT_CREATED[memberOf(error, "syscall")] : undefined;
}

const NOT_CREATED: Reasons = {
  // The parents were there or have just been created: some file systems, such as /proc, create nothing for anyone.
  mkdir: ["the file system creates no folders there", "choose another path"],
  mkdtemp: ["the folder does not exist", "create it, or set TMPDIR to another folder"],
};

const FAILURES = new Set([...Object.keys(REASONS), "EIO", "EMFILE", "ENFILE", "EBUSY", "ESTALE", "ELOOP"]);
// Only a call that creates folders fails with EEXIST because of a file in the place of one.
const ANY_CALL: Reasons = { ...REASONS, EEXIST: ["it already exists", "choose another path, or move the file"] };

// Programs that are started and addresses that are listened at have such codes too.
const FILE_CALLS =
  /^(?:access|chmod|copyfile|fstat|fsync|ftruncate|link|lstat|mkdir|mkdtemp|open|read|readlink|realpath|rename|rm|rmdir|scandir|stat|symlink|unlink|write)$/u;

/** Returns the error that tells a user which file the system refused to a command; any other error is returned as it is. */
export function fileFailure(error: unknown): unknown {
  if (!FAILURES.has(systemCodeOf(error) ?? "") || !FILE_CALLS.test(memberOf(error, "syscall"))) return error;
  // Commands write at one point, which reports the state of the project.
  const outcome = "the project is in the state before or after the command";
  return explained(error, ANY_CALL, { what: `use ${memberOf(error, "path") || "a file"}`, outcome });
}

function memberOf(error: unknown, name: "syscall" | "path"): string {
  const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
  return typeof value === "string" ? value : "";
}
