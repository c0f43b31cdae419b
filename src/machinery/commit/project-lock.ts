import { randomUUID } from "node:crypto";
import { readFileSync, rmdirSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { isRunning } from "@kubescaffold/platform/processes";
import { onExit } from "signal-exit";

import { diskFailure } from "../disk-failure.ts";
import { type Disk, realDisk, systemCodeOf } from "../disk.ts";
import { DanglingLinkError, NotAFolderError, ProjectLockedError } from "../errors.ts";
import { makeFolders } from "./journal.ts";
import { printable, requireNoLinks, STATE_FOLDER } from "./project-paths.ts";

/** Is held by the one command that may write a project. */
export interface ProjectLock {
  /** Releases the lock; calling it again does nothing. Never fails: the lock of a process that has ended is taken over. */
  readonly release: () => Promise<void>;
}

/** Who asks for the lock, and how to tell whether a process lives. */
export interface LockOptions {
  readonly root: string;
  readonly command: string;
  /** Locks of different names do not exclude each other; the one that commands write under is `lock`. */
  readonly name?: string;
  readonly disk?: Disk;
  readonly pid?: number;
  readonly now?: () => Date;
  readonly isAlive?: (pid: number) => boolean;
}

/** Options of {@link waitForLock}. */
interface WaitOptions extends LockOptions {
  readonly sleep?: (delayMs: number) => Promise<unknown>;
  /** Receives one line for the user when the wait takes longer than a second. */
  readonly terminal: { readonly writeError: (text: string) => void };
}

/** How long a command waits for another one, and how old that one may be: one that has run for long is dead, or waits for its user. */
export const LOCK_WAIT = { atMostMs: 10_000, noteAfterMs: 1000, oldestHolderMs: 60_000, pollMs: 50 };

/**
 * Takes the lock of a project, and waits for a command that holds it: two shells, or `make -j`, regenerate one after the other.
 *
 * Fails: as {@link acquireLock}; `ProjectLockedError` after ten seconds, and at once if the lock does not identify its holder, or if the holder
 * has been running for more than a minute.
 */
export async function waitForLock({ sleep = pause, terminal, ...options }: WaitOptions): Promise<ProjectLock> {
  for (let waitedMs = 0; ; waitedMs += LOCK_WAIT.pollMs) {
    try {
      return await acquireLock(options);
    } catch (error) {
      if (!(error instanceof ProjectLockedError) || !mayEndSoon(error, options)) throw error;
      if (waitedMs >= LOCK_WAIT.atMostMs) throw error;
      if (waitedMs === LOCK_WAIT.noteAfterMs)
        terminal.writeError(`note: waiting for ${nameOf(error)}, which is running in this project\n`);
    }
    await sleep(LOCK_WAIT.pollMs);
  }
}

// Clocks of machines that share a folder differ; a start in the future is a recent one.
function mayEndSoon({ holder }: ProjectLockedError, { now = () => new Date() }: LockOptions): boolean {
  return holder !== undefined && now().getTime() - Date.parse(holder.since) <= LOCK_WAIT.oldestHolderMs;
}

function nameOf({ holder }: ProjectLockedError): string {
  return `\`${holder?.command ?? ""}\` (process ${String(holder?.pid)})`;
}

interface Holder {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  readonly command: string;
  readonly since: string;
}

const ATTEMPTS = 5;
const LARGEST_LOCK_BYTES = 64 * 1024;

/**
 * Takes the lock of a project.
 *
 * Guarantees: two commands never hold it at once; a lock whose process is dead is taken over. A process that a signal ends removes its lock, unless the
 * signal is SIGKILL.
 * Fails: {@link ProjectLockedError} that names the holder's process, command and start; {@link NotAFolderError}, {@link DanglingLinkError} when
 * there is no folder to put it in; `SymbolicLinkError` when that folder, or the lock, is a link.
 */
export async function acquireLock(options: LockOptions): Promise<ProjectLock> {
  const { root, name = "lock", disk = realDisk } = options;
  const file = path.join(root, STATE_FOLDER, name);
  const mine = holderFor(options);
  const forget = onExit(() => removeAtExit(file, mine));
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      await prepareFolder(disk, root);
      await requireNoLinks(disk, root, `${STATE_FOLDER}/${name}`);
      if (await tryCreate(disk, file, mine)) {
        await removeLeftovers(disk, file);
        return lockOf(disk, { file, mine, root, forget });
      }
      await removeIfStale(disk, file, options);
    }
    const holder = await readHolder(disk, file);
    throw new ProjectLockedError(holder === "unreadable" ? undefined : holder, file);
  } catch (error) {
    forget();
    throw error;
  }
}

// What the process has no time to await. A journal stays, which the next command completes.
function removeAtExit(file: string, mine: Holder): void {
  try {
    rmSync(draftOf(file, mine), { force: true });
    if (readFileSync(file, "utf8").includes(mine.token)) rmSync(file);
    rmdirSync(path.dirname(file));
  } catch {
    // The lock of a process that has ended is taken over.
  }
}

function draftOf(file: string, { token }: Holder): string {
  return `${file}.${token}`;
}

/** Reports whether a command that is running, or may be, holds the lock of a project; writes nothing. */
export async function isLocked(options: Pick<LockOptions, "root" | "disk" | "isAlive">): Promise<boolean> {
  const { root, disk = realDisk } = options;
  const holder = await readHolder(disk, path.join(root, STATE_FOLDER, "lock"));
  return holder !== undefined && (holder === "unreadable" || !isStale(holder, options));
}

function holderFor({ command, pid = process.pid, now = () => new Date() }: LockOptions): Holder {
  return { token: randomUUID(), pid, host: hostname(), command, since: now().toISOString() };
}

async function prepareFolder(disk: Disk, root: string): Promise<void> {
  const folder = path.join(root, STATE_FOLDER);
  try {
    await makeFolders(disk, folder);
    const kind = await disk.kindOf(folder);
    if (kind === "file" || kind === "other") throw new NotAFolderError(STATE_FOLDER);
    if (kind === "link" && (await disk.targetKindOf(folder)) === "absent") throw new DanglingLinkError(STATE_FOLDER);
  } catch (error) {
    throw notWritten(error, root);
  }
}

// The lock appears with its content: it is written under another name and linked to its own.
async function tryCreate(disk: Disk, file: string, mine: Holder): Promise<boolean> {
  const draft = draftOf(file, mine);
  try {
    await disk.writeSynced(draft, JSON.stringify(mine), 0o644);
    await disk.link(draft, file);
    return true;
  } catch (error) {
    // Without the folder or the draft: another command has just cleaned up after itself.
    if (systemCodeOf(error) === "EEXIST" || systemCodeOf(error) === "ENOENT") return false;
    await disk.remove(draft).catch(() => undefined);
    await disk.removeFolder(path.dirname(file)).catch(() => undefined);
    throw notWritten(error, path.dirname(path.dirname(file)));
  } finally {
    await disk.remove(draft).catch(() => undefined);
  }
}

function notWritten(error: unknown, root: string): unknown {
  return diskFailure(error, { what: `write the project in ${root}`, outcome: "nothing was written" });
}

// Drafts of processes that were killed while they took the lock.
async function removeLeftovers(disk: Disk, file: string): Promise<void> {
  const folder = path.dirname(file);
  for (const name of await disk.list(folder)) {
    if (name.startsWith(`${path.basename(file)}.`)) await disk.remove(path.join(folder, name)).catch(() => undefined);
  }
}

async function removeIfStale(disk: Disk, file: string, options: LockOptions): Promise<void> {
  const holder = await readHolder(disk, file);
  if (holder === undefined) return;
  if (holder === "unreadable") throw new ProjectLockedError(undefined, file);
  if (!isStale(holder, options)) throw new ProjectLockedError(holder, file);
  const aside = `${file}.stale.${randomUUID()}`;
  try {
    await disk.rename(file, aside);
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return;
    throw error;
  }
  // Another command may have taken the lock over in between: then it gets its lock back.
  const moved = await readHolder(disk, aside);
  if (moved !== undefined && (moved === "unreadable" || moved.token !== holder.token))
    await disk.link(aside, file).catch(() => undefined);
  await disk.remove(aside).catch(() => undefined);
}

function isStale(holder: Holder, { isAlive = isRunning }: Pick<LockOptions, "isAlive">): boolean {
  return holder.host === hostname() && !isAlive(holder.pid);
}

// Whoever made the project may have put a lock into it.
async function readHolder(disk: Disk, file: string): Promise<Holder | "unreadable" | undefined> {
  try {
    const kind = await disk.kindOf(file);
    if (kind === "absent") return undefined;
    if (kind !== "file" || ((await disk.sizeOf(file)) ?? 0) > LARGEST_LOCK_BYTES) return "unreadable";
    return holderOf(JSON.parse(await disk.readFile(file)));
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    if (error instanceof SyntaxError) return "unreadable";
    throw error;
  }
}

function holderOf(value: unknown): Holder | "unreadable" {
  const { token, pid, host, command, since } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const isProcess = typeof pid === "number" && Number.isSafeInteger(pid) && pid > 0;
  if (!isProcess || typeof token !== "string" || typeof host !== "string") return "unreadable";
  if (typeof command !== "string" || typeof since !== "string") return "unreadable";
  return { token, pid, host, command: printable(command), since: printable(since) };
}

// What the disk does not let go is the lock of a dead process when this one has ended: the next command takes it over.
async function removeOwn(disk: Disk, { file, mine }: { readonly file: string; readonly mine: Holder }): Promise<void> {
  const holder = await readHolder(disk, file);
  if (holder !== undefined && holder !== "unreadable" && holder.token === mine.token) await disk.remove(file);
}

function lockOf(
  disk: Disk,
  held: { readonly file: string; readonly mine: Holder; readonly root: string; readonly forget: () => void },
): ProjectLock {
  let isHeld = true;
  return {
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      await removeOwn(disk, held).catch(() => undefined);
      // Fails while a journal or another command's lock is in there, which is right.
      await disk.removeFolder(path.join(held.root, STATE_FOLDER)).catch(() => undefined);
      held.forget();
    },
  };
}
