import { writeFileSync } from "node:fs";

import { type Disk, realDisk } from "../../../src/machinery/disk.ts";

const CHANGING = [
  "makeFolder",
  "writeSynced",
  "rename",
  "link",
  "remove",
  "removeFolder",
  "removeTree",
  "syncFolder",
] as const;

/** Returns the real disk, with a callback before each operation that changes it; what the callback throws is the operation's failure. */
export function watchedDisk(before: (operation: string, step: number, args: readonly unknown[]) => void): Disk {
  let step = 0;
  const watched = CHANGING.map((name) => {
    const operation = realDisk[name] as (...args: readonly unknown[]) => Promise<void>;
    return [
      name,
      async (...args: readonly unknown[]) => {
        step += 1;
        before(name, step, args);
        await operation(...args);
      },
    ] as const;
  });
  return { ...realDisk, ...Object.fromEntries(watched) };
}

/** Returns the error that the operating system gives with this code. */
export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** Writes the first half of a content, as a process leaves it that dies while it writes. */
export function writeHalf(args: readonly unknown[]): void {
  const [target, content] = args as readonly [string, string];
  writeFileSync(target, content.slice(0, content.length / 2));
}
