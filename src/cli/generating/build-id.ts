import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HASH_LINE = /\/\/(?<hash>[0-9a-f]{64})\n$/u;
const TAIL_BYTES = 67;

/**
 * Returns what tells this build of the program from all others, or nothing when it does not run from a build.
 *
 * A build consists of scripts that end with the hash of what they hold.
 */
export function buildId(program: string = fileURLToPath(import.meta.url)): string | undefined {
  const hashes = [program, path.join(path.dirname(program), "ts-morph.cjs")].map((file) => hashAtEnd(file));
  return hashes.includes(undefined) ? undefined : hashes.join(" ");
}

function hashAtEnd(file: string): string | undefined {
  try {
    const handle = openSync(file, "r");
    try {
      const tail = Buffer.alloc(TAIL_BYTES);
      readSync(handle, tail, 0, TAIL_BYTES, Math.max(0, fstatSync(handle).size - TAIL_BYTES));
      return HASH_LINE.exec(tail.toString("latin1"))?.groups?.["hash"];
    } finally {
      closeSync(handle);
    }
  } catch {
    return undefined;
  }
}
