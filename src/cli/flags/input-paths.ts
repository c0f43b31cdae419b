import { type Dirent, readdirSync } from "node:fs";

import { messageOf } from "@kubescaffold/k8s";

import { isDangling, type PathKind, systemCodeOf, targetKindSync } from "../../machinery/disk.ts";
import { InputError } from "../command/errors.ts";

/** Checks that a folder is there. Fails: `InputError`. */
export function requireInputFolder(target: string, shown: string): void {
  if (inputKind(target, shown) === "folder") return;
  throw new InputError(`cannot read ${shown}: it is not a folder`, { hint: "specify the project's folder" });
}

/** Returns what a path leads to that is to be read. Fails: `InputError` when that is nothing, or what this user may not see. */
export function inputKind(target: string, shown: string): PathKind {
  let kind: PathKind;
  try {
    kind = targetKindSync(target);
  } catch (cause) {
    throw unreadable(shown, cause);
  }
  if (kind !== "absent") return kind;
  const reason = isDangling(target) ? "it is a dangling symbolic link" : "no such file or folder";
  throw new InputError(`cannot read ${shown}: ${reason}`, { hint: "fix the path" });
}

/** Returns what is in a folder. Fails: `InputError` when this user may not see it. */
export function entriesOf(folder: string, shown: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw unreadable(shown, cause);
  }
}

/** Returns the error for an input that the system does not let this user read. */
export function unreadable(shown: string, cause: unknown): InputError {
  const code = systemCodeOf(cause);
  const reason = code === "EACCES" || code === "EPERM" ? `permission is denied (${code})` : messageOf(cause);
  return new InputError(`cannot read ${shown}: ${reason}`, { hint: "make it readable for the current user", cause });
}
