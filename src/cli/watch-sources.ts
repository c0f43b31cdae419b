import path from "node:path";

import { watch } from "chokidar";

const WATCHED_FOLDERS = ["api", "cmd", "internal"];

// Editors write a file in several steps, and several files at once.
const SETTLE_MS = 50;

/** Calls back when sources have changed: one call at a time, and once more if something changed meanwhile. */
export function watchSources(root: string, onChange: () => Promise<void>): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const folders = WATCHED_FOLDERS.map((folder) => path.join(root, folder));
  const watcher = watch(folders, {
    ignoreInitial: true,
    ignored: (file) => /\.test\.ts$|(?:^|[/\\])node_modules(?:[/\\]|$)/u.test(file),
  }).on("all", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(onChange);
    }, SETTLE_MS);
  });
  return {
    close: async () => {
      clearTimeout(timer);
      await watcher.close();
      await running;
    },
  };
}
