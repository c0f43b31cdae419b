import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";

import { isRunning } from "@kubescaffold/platform/processes";

import { StateLockedError } from "./errors.ts";

interface Holder {
  readonly pid: number;
  readonly host: string;
  /** Distinguishes servers of one process. */
  readonly token: string;
}

const ATTEMPTS = 5;

// The locks of this process; another holder with its pid is a process before it, as in containers, where all have pid 1.
const held = new Set<string>();

/**
 * Takes the lock of a state folder, and returns what releases it. The lock of a process that has ended is taken over.
 *
 * Fails: {@link StateLockedError} with the process that holds it.
 */
export function lockState(folder: string): () => void {
  const file = path.join(folder, "lock");
  const mine: Holder = { pid: process.pid, host: hostname(), token: randomUUID() };
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createLock(file, mine)) {
      held.add(mine.token);
      return () => {
        held.delete(mine.token);
        if (readHolder(file)?.token === mine.token) rmSync(file, { force: true });
      };
    }
    removeStale(file);
  }
  const holder = readHolder(file);
  throw new StateLockedError(folder, holder === undefined ? "another process" : nameOf(holder));
}

/** Fails: {@link StateLockedError} when a process that runs has the lock of a state folder. */
export function requireUnlocked(folder: string): void {
  const holder = readHolder(path.join(folder, "lock"));
  if (holder !== undefined && !isStale(holder)) throw new StateLockedError(folder, nameOf(holder));
}

function nameOf({ pid, host }: Holder): string {
  return host === hostname() ? `the process ${String(pid)}` : `the process ${String(pid)} on ${host}`;
}

// A link appears with its content, and never replaces another.
function createLock(file: string, holder: Holder): boolean {
  const draft = `${file}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

// Another process may have taken the lock over meanwhile: it gets its lock back.
function removeStale(file: string): void {
  const stale = readHolder(file);
  if (stale === undefined || !isStale(stale)) return;
  const moved = `${file}.${randomUUID()}`;
  try {
    renameSync(file, moved);
    if (readHolder(moved)?.token !== stale.token) linkSync(moved, file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "EEXIST") throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

function isStale({ pid, host, token }: Holder): boolean {
  if (host !== hostname()) return false;
  return pid === process.pid ? !held.has(token) : !isRunning(pid);
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}
