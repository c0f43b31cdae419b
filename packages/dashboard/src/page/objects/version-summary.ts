import type { DiffLine } from "@kubescaffold/platform";

import type { ObjectVersion } from "../feed/protocol.ts";

/** Counts the lines that a version added and removed. */
export function changedLines(diff: readonly DiffLine[]): { readonly added: number; readonly removed: number } {
  return {
    added: diff.filter(({ kind }) => kind === "added").length,
    removed: diff.filter(({ kind }) => kind === "removed").length,
  };
}

/** Names who wrote a version: the controller, or else the program, or else the user. */
export function writerOf({ controller, manager, user }: ObjectVersion): string {
  if (controller !== undefined && controller !== "") return `${controller} controller`;
  return manager === "" ? user : manager;
}
