import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";

const MEMORY = "/dev/shm";
// The installations of the packaging tests take most of it.
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Lets this process and those that it starts have their temporary folders in memory, where there is room and TMPDIR names none.
 *
 * Tests write thousands of projects, and commands wait until each file is on the disk: that is a third of the time.
 */
export function useMemoryForTemporaryFolders(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(path.join(MEMORY, "kubescaffold-tests-"));
  // As in /tmp, other users may reach what they are given access to: a test runs the manager as one.
  chmodSync(folder, 0o711);
  // Tests start programs as another user, who has to get through it as through /tmp.
  chmodSync(folder, 0o755);
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // Containers often mount it so that no program can be started from it.
  if (mayStartPrograms(folder)) process.env["TMPDIR"] = folder;
}

function hasRoom(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= NEEDED_BYTES;
}

function mayStartPrograms(folder: string): boolean {
  const program = path.join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  const { status } = spawnSync(program);
  rmSync(program);
  return status === 0;
}
