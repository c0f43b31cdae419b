import { randomBytes } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

import { makeFolder } from "@kubescaffold/platform/files";

import { SECRET_BYTES } from "./service-account-keys.ts";

/** Returns the secret that signs tokens from a state folder, so that tokens outlive the process; the first call creates it. */
export function persistedSecret(folder: string): Buffer {
  const file = path.join(folder, "service-account.key");
  const secret = readSecret(file);
  if (secret?.length === SECRET_BYTES) return secret;
  const created = randomBytes(SECRET_BYTES);
  makeFolder(path.resolve(folder), 0o700);
  // A link that somebody put there is replaced, not followed.
  rmSync(file, { force: true });
  writeFileSync(file, created.toString("base64"), { mode: 0o600, flag: "wx" });
  return created;
}

/** Returns the secret of a state folder; undefined if it has none. Writes nothing. */
export function restoredSecret(folder: string): Buffer | undefined {
  const secret = readSecret(path.join(folder, "service-account.key"));
  return secret?.length === SECRET_BYTES ? secret : undefined;
}

function readSecret(file: string): Buffer | undefined {
  try {
    return Buffer.from(readFileSync(file, "utf8"), "base64");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
