import { describe, expect, it } from "vitest";

import { acquireLock, LOCK_WAIT, type ProjectLock, waitForLock } from "../../../src/machinery/commit/project-lock.ts";
import { temporaryFolder, writeFiles } from "../../support/temporary-folder.ts";

const START = Date.parse("2026-01-02T03:04:05Z");

/** Waits for the lock that another command holds, which `during` can release after some waiting. */
async function waitFor({
  heldForMs = 0,
  during,
}: {
  readonly heldForMs?: number;
  readonly during?: (waitedMs: number, held: ProjectLock) => Promise<void>;
}): Promise<{ readonly waitedMs: number; readonly notes: readonly string[]; readonly outcome: unknown }> {
  const root = temporaryFolder();
  const notes: string[] = [];
  let waitedMs = 0;
  const since = new Date(START - heldForMs);
  const held = await acquireLock({ root, command: "scaffold generate", pid: 4711, now: () => since });
  const outcome = await waitForLock({
    root,
    command: "scaffold manifests",
    now: () => new Date(START + waitedMs),
    isAlive: () => true,
    terminal: { writeError: (text) => void notes.push(text) },
    sleep: async (delayMs) => {
      waitedMs += delayMs;
      await during?.(waitedMs, held);
    },
  }).catch((error: unknown) => error);
  return { waitedMs, notes, outcome };
}

const releaseAfter =
  (durationMs: number) =>
  async (waitedMs: number, held: ProjectLock): Promise<void> => {
    if (waitedMs === durationMs) await held.release();
  };

describe("waiting for the lock of a project", () => {
  it("takes the lock when the other command releases it, and prints nothing within a second", async () => {
    const { waitedMs, notes, outcome } = await waitFor({ during: releaseAfter(LOCK_WAIT.noteAfterMs) });
    expect(outcome).toHaveProperty("release");
    expect({ waitedMs, notes }).toEqual({ waitedMs: LOCK_WAIT.noteAfterMs, notes: [] });
  });

  it("prints one line after a second, which names the other command", async () => {
    const { notes, outcome } = await waitFor({ during: releaseAfter(3 * LOCK_WAIT.noteAfterMs) });
    expect(outcome).toHaveProperty("release");
    expect(notes).toEqual(["note: waiting for `scaffold generate` (process 4711), which is running in this project\n"]);
  });

  it("fails after ten seconds with the holder of the lock", async () => {
    const { waitedMs, outcome } = await waitFor({});
    expect(outcome).toMatchObject({ code: "SCAFFOLD_LOCKED", message: expect.stringContaining("4711") });
    expect(waitedMs).toBe(LOCK_WAIT.atMostMs);
  });

  it("fails at once when the other command has been running for more than a minute", async () => {
    const { waitedMs, outcome } = await waitFor({ heldForMs: LOCK_WAIT.oldestHolderMs + 1 });
    expect(outcome).toMatchObject({ code: "SCAFFOLD_LOCKED" });
    expect(waitedMs).toBe(0);
  });

  it("fails at once when the lock does not identify its holder", async () => {
    const root = temporaryFolder();
    writeFiles(root, { ".kubescaffold/lock": "{}" });
    const lock = waitForLock({ root, command: "scaffold manifests", terminal: { writeError: () => undefined } });
    await expect(lock).rejects.toMatchObject({ code: "SCAFFOLD_LOCKED", holder: undefined });
  });
});
