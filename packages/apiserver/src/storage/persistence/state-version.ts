import { readFileSync } from "node:fs";
import path from "node:path";

import { minorNumber, UNRECORDED_MINOR } from "@kubescaffold/k8s";

import { CorruptStateError, NewerStateError } from "./errors.ts";
import { replaceFile } from "./state-files.ts";

/** The file that contains the minor version of the server that used the folder last. */
const NAME = "kubernetes-version";
const MINOR = /^1\.\d{1,4}$/u;

/**
 * Returns the minor version of Kubernetes that the state in a folder is of; that of states from before it was recorded if the file is absent.
 *
 * Fails: {@link NewerStateError} if it is newer than that of the server, and {@link CorruptStateError}.
 */
export function readStateMinor(folder: string, serverMinor: string): string {
  const minor = recordedMinor(folder) ?? UNRECORDED_MINOR;
  if (minorNumber(minor) > minorNumber(serverMinor)) throw new NewerStateError(folder, minor, serverMinor);
  return minor;
}

/** Records the minor version of the server that uses a folder; the file is complete at any time. */
export function recordMinor(folder: string, minor: string): void {
  if (recordedMinor(folder) === minor) return;
  replaceFile(path.join(folder, NAME), [Buffer.from(`${minor}\n`)]);
}

function recordedMinor(folder: string): string | undefined {
  const name = path.join(folder, NAME);
  let text: string;
  try {
    text = readFileSync(name, "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  if (MINOR.test(text)) return text;
  throw new CorruptStateError(name, `${JSON.stringify(text.slice(0, 40))} is not a minor version of Kubernetes`);
}
