import { realpathSync } from "node:fs";
import path from "node:path";

import { type Disk, pathKindSync, targetKindSync } from "../disk.ts";
import { NotARegularFileError, OutsideProjectError, SymbolicLinkError } from "../errors.ts";

/** The folder that commands keep their lock and journal in, in the root of a project. */
export const STATE_FOLDER = ".kubescaffold";

const LONGEST_PATH = 4096;

/**
 * Returns the reason why no command may write a path of a project, or nothing when a command may; looks at the name alone.
 *
 * Paths are relative to the root, with forward slashes.
 */
export function reasonToRefuse(relative: string): string | undefined {
  if (relative.length > LONGEST_PATH) return "its path is too long";
  if (hasControlCharacters(relative)) return "its path has control characters";
  if (relative.includes("\\")) return "its path has a backslash";
  if (leavesRoot(relative)) return "it is outside of the project";
  const segments = relative.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return "its path is not normalized";
  if (segments.some((segment) => isGitFolder(segment))) return "it belongs to git";
  if (segments.some((segment) => plainName(segment) === STATE_FOLDER))
    return `${STATE_FOLDER} is reserved for running commands`;
  return undefined;
}

/** Throws {@link OutsideProjectError} when no command may write a path of a project. */
export function requireProjectPath(relative: string): void {
  const reason = reasonToRefuse(relative);
  if (reason !== undefined) throw new OutsideProjectError(printable(relative), reason);
}

/** Reports whether a relative path leads out of the folder that it is relative to. */
export function leavesRoot(relative: string): boolean {
  return relative === ".." || /^(?:\.\.[\\/]|[\\/]|[A-Za-z]:)/u.test(relative) || path.isAbsolute(relative);
}

// File systems take these for `.git` too: HFS+ ignores some code points, NTFS what follows a colon, and dots and spaces at the end.
function isGitFolder(segment: string): boolean {
  return /^(?:\.git|git~\d+)$/u.test(plainName(segment));
}

function plainName(segment: string): string {
  const visible = segment.replaceAll(/[\u200C-\u200F\u202A-\u202E\u206A-\u206F\uFEFF]/gu, "");
  return (visible.split(":")[0] ?? "").replace(/(?<![. ])[. ]+$/u, "").toLowerCase();
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/** Returns a text of unknown origin for a message: without control characters, which would reach the terminal. */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, "?");
}

/**
 * Requires that no symbolic link above a path leads out of the project, or into the folders of git and of running commands.
 *
 * Links that stay in the project are followed. Paths that are outside of the root by their name are the caller's to allow.
 * Fails: {@link SymbolicLinkError} with the link and its target.
 */
export async function requireContained(disk: Disk, root: string, relative: string): Promise<void> {
  if (leavesRoot(relative)) return;
  let shown = "";
  for (const segment of relative.split("/").slice(0, -1)) {
    shown = shown === "" ? segment : `${shown}/${segment}`;
    const kind = await disk.kindOf(path.join(root, shown));
    if (kind === "absent") return;
    if (kind === "link") await requireInside(disk, { root, link: shown, relative });
  }
}

async function requireInside(
  disk: Disk,
  { root, link, relative }: { readonly root: string; readonly link: string; readonly relative: string },
): Promise<void> {
  const file = path.join(root, link);
  // A link that leads nowhere has its own error.
  if ((await disk.targetKindOf(file)) === "absent") return;
  const target = await disk.realPath(file);
  const inside = path.relative(await disk.realPath(root), target).replaceAll("\\", "/");
  if (inside === "") return;
  const reason = reasonToRefuse(inside);
  const written = relative.replace(/\/$/u, "");
  if (reason !== undefined) throw new SymbolicLinkError({ path: written, link, target: printable(target), reason });
}

/**
 * Requires the same of a path that the user named, and of the link that may be in its place. A path outside of the project is the user's own word.
 *
 * Fails: {@link SymbolicLinkError}.
 */
export async function requireOwnTarget(disk: Disk, root: string, target: string): Promise<void> {
  await requireContained(disk, root, `${path.relative(root, target).replaceAll("\\", "/")}/`);
}

/** Requires that a path below the root, and every folder above it, is no symbolic link. Fails: {@link SymbolicLinkError}. */
export async function requireNoLinks(disk: Disk, root: string, relative: string): Promise<void> {
  let shown = "";
  for (const segment of relative.split("/")) {
    shown = shown === "" ? segment : `${shown}/${segment}`;
    const kind = await disk.kindOf(path.join(root, shown));
    if (kind === "absent") return;
    if (kind === "link") {
      const target = printable(await disk.readLink(path.join(root, shown)));
      throw new SymbolicLinkError({
        path: relative,
        link: shown,
        target,
        reason: "commands do not follow links there",
      });
    }
  }
}

/**
 * Requires that a file of a project may be read: a symbolic link must lead to a regular file of the project. A link that leads nowhere is none.
 *
 * Fails: {@link SymbolicLinkError} with the link and its target; {@link NotARegularFileError}.
 */
export function requireReadable(root: string, relative: string): void {
  const file = path.join(root, relative);
  if (pathKindSync(file) !== "link" || targetKindSync(file) === "absent") return;
  const target = realpathSync(file);
  if (leavesRoot(path.relative(realpathSync(root), target))) {
    const reason = "that is outside of the project";
    throw new SymbolicLinkError({ path: relative, link: relative, target: printable(target), reason, verb: "read" });
  }
  if (targetKindSync(file) !== "file")
    throw new NotARegularFileError(relative, "a symbolic link to something other than a regular file");
}
