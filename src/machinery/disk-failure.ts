import { systemCodeOf } from "./disk.ts";
import { DiskError } from "./errors.ts";

const REASONS: Readonly<Record<string, readonly [reason: string, wayOut: string]>> = {
  ENOSPC: ["the disk is full", "free some space and run the command again"],
  EDQUOT: ["the disk quota is used up", "free some space and run the command again"],
  EROFS: ["the file system is read-only", "work on a writable file system"],
  EACCES: ["permission is denied", "give this user access to it"],
  EPERM: ["the operation is not permitted", "give this user access to it"],
};

/** Returns the error that tells a user why the disk refused something; an error that is not of the operating system is returned as it is. */
export function diskFailure(error: unknown, told: { readonly what: string; readonly outcome: string }): unknown {
  const code = systemCodeOf(error);
  if (code === undefined) return error;
  const [reason, wayOut] = REASONS[code] ?? [error instanceof Error ? error.message : code, "see the cause"];
  return new DiskError(`cannot ${told.what}: ${reason} (${code})`, {
    hint: `${wayOut}; ${told.outcome}`,
    cause: error,
  });
}
