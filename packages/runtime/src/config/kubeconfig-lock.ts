import { open, rm } from "node:fs/promises";
import path from "node:path";

import { checkNumbers } from "@kubescaffold/k8s";
import { type Clock, realClock, sleep } from "@kubescaffold/platform/clock";
import { makeFolder } from "@kubescaffold/platform/files";

import { KubeconfigLockedError, UnwritableConfigFileError } from "./errors.ts";

/** Options of `withKubeconfigLocks`. */
export interface KubeconfigLockOptions {
  /** Milliseconds to wait for another process that changes a file. Default: 10000. */
  readonly lockTimeoutMs?: number;
  /** The clock of the wait. Default: the real one. */
  readonly clock?: Clock;
}

const LOCK_TIMEOUT_MS = 10_000;
const POLL_MS = 50;

/**
 * Runs a function while no other process changes the files, as kubectl and client-go do: with a file `<name>.lock` beside each.
 *
 * Guarantees: files are locked in the order of their names, so that two processes never wait for each other; locks of other processes are never removed.
 * Fails: {@link KubeconfigLockedError}.
 */
export async function withKubeconfigLocks<T>(
  files: readonly string[],
  work: () => Promise<T>,
  { lockTimeoutMs = LOCK_TIMEOUT_MS, clock = realClock }: KubeconfigLockOptions = {},
): Promise<T> {
  checkNumbers("the lock of the kubeconfig", { lockTimeoutMs }, { lockTimeoutMs: "duration" });
  const deadline = clock.monotonic() + lockTimeoutMs;
  const held: string[] = [];
  try {
    for (const file of files.toSorted()) {
      const lock = `${file}.lock`;
      if (await acquire(lock, { deadline, clock })) {
        held.push(lock);
      }
    }
    return await work();
  } finally {
    await Promise.all(held.map((lock) => rm(lock, { force: true })));
  }
}

async function acquire(
  lock: string,
  { deadline, clock }: { readonly deadline: number; readonly clock: Clock },
): Promise<boolean> {
  for (;;) {
    const outcome = await tryAcquire(lock);
    if (outcome !== "held") {
      return outcome === "acquired";
    }
    if (clock.monotonic() >= deadline) {
      throw new KubeconfigLockedError(lock);
    }
    await sleep(clock, POLL_MS);
  }
}

async function tryAcquire(lock: string): Promise<"acquired" | "held" | "read-only"> {
  try {
    makeFolder(path.dirname(lock));
  } catch (cause) {
    return readOnlyOr(cause, lock);
  }
  try {
    const handle = await open(lock, "wx", 0o600);
    await handle.close();
    return "acquired";
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EEXIST" ? "held" : readOnlyOr(cause, lock);
  }
}

// Nothing is written to a folder that may not be written; other files of the list can still change.
function readOnlyOr(cause: unknown, lock: string): "read-only" {
  if (["EACCES", "EPERM", "EROFS"].includes((cause as NodeJS.ErrnoException).code ?? "")) {
    return "read-only";
  }
  throw new UnwritableConfigFileError(lock, { cause });
}
