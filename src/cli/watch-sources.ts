import path from "node:path";

import { watch } from "chokidar";

/** The folders of a project that hold its sources. */
export const SOURCE_FOLDERS: readonly string[] = ["api", "cmd", "internal"];

/** What is watched, and what happens then. */
export interface WatchOptions {
  readonly root: string;
  /** Relative to the root, or absolute. */
  readonly folders: readonly string[];
  /** Other files that count, whatever their names are; absolute. */
  readonly files?: readonly string[];
  readonly onChange: () => Promise<void>;
}

/** A watch that runs until it is closed. */
export interface SourceWatch {
  /** Waits until changes are seen. */
  readonly ready: Promise<void>;
  /** Ends the watch, and waits for what it has started. */
  readonly close: () => Promise<void>;
}

// Editors write a file in several steps, and several files at once.
const SETTLE_MS = 15;

/** Calls back when sources have changed, are new or are gone: one call at a time, and once more if something changed meanwhile. */
export function watchSources({ root, folders, files = [], onChange }: WatchOptions): SourceWatch {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isDirty = false;
  const start = (): void => {
    if (running !== undefined) {
      isDirty = true;
      return;
    }
    running = onChange().finally(() => {
      running = undefined;
      if (isDirty) schedule();
    });
  };
  const schedule = (): void => {
    isDirty = false;
    clearTimeout(timer);
    timer = setTimeout(start, SETTLE_MS);
  };
  const named = new Set(files);
  const watcher = watch([...folders.map((folder) => path.resolve(root, folder)), ...files], {
    ignoreInitial: true,
    ignored: (file, stats) => !named.has(file) && isIgnored(path.relative(root, file), stats?.isFile() === true),
  }).on("all", (event) => {
    // Folders count by what is in them; the output of a run may be a new one.
    if (event === "add" || event === "change" || event === "unlink") schedule();
  });
  return {
    ready: new Promise((resolve) => watcher.on("ready", () => resolve())),
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
      isDirty = false;
      await running;
    },
  };
}

// Folders that no source is read from, and files that are none.
function isIgnored(relative: string, isFile: boolean): boolean {
  const segments = relative.split(path.sep).filter((each) => each !== "..");
  if (segments.some((each) => each === "node_modules" || each === "dist" || /^\.[^.]/u.test(each))) return true;
  return (
    isFile &&
    (!/\.[mc]?ts$/u.test(relative) || /\.(?:test|spec|d)\.[mc]?ts$|(?:^|[/\\])zz_generated\.[^/\\]*$/u.test(relative))
  );
}
