import { existsSync } from "node:fs";
import path from "node:path";

import { handledLater } from "@kubescaffold/platform";
import { watch } from "chokidar";

/** The folders of a project that hold its sources. */
export const SOURCE_FOLDERS: readonly string[] = ["api", "cmd", "internal"];

/** Is called with the files that have changed. */
type OnChange = (files: readonly string[]) => Promise<void>;

/** A watch that runs until it is closed. */
export interface SourceWatch {
  /** Waits until changes are seen; what is read from then on is not older than what is missed. */
  readonly ready: Promise<void>;
  /**
   * Calls back from now on when sources have changed, are new or are gone, and once for those that were since the watch is ready. The files are absolute
   * paths, sorted.
   */
  readonly begin: (onChange: OnChange) => void;
  /** Ends the watch, and waits for what it has started. */
  readonly close: () => Promise<void>;
}

// Editors write a file in several steps, and several files at once.
const SETTLE_MS = 15;

/**
 * Watches sources, and calls back once it has begun: one call at a time, and once more if something changed meanwhile.
 *
 * Folders are absolute or relative to the root; `files` are other files that count, whatever their names are, and absolute.
 */
export function watchSources(root: string, folders: readonly string[], files: readonly string[] = []): SourceWatch {
  const calls = new SettledCalls();
  const places = watchedPlaces(root, folders, files);
  const watcher = watch([...places.folders], {
    ignoreInitial: true,
    ignored: (file, stats) => !places.hasPart(file, stats?.isFile() === true),
  })
    .on("all", (event, file) => {
      // Folders count by what is in them; the output of a run may be a new one.
      if (event === "add" || event === "change" || event === "unlink") calls.note(path.resolve(root, file));
    })
    .on("raw", (_, name, details) => {
      // A second change of a file within 50 ms is only detected here.
      const file = rawPath(name, details);
      if (places.hasPart(file, true)) calls.note(path.resolve(root, file));
    });
  return {
    ready: new Promise((resolve) => watcher.on("ready", () => resolve())),
    begin: (onChange) => calls.begin(onChange),
    close: async () => {
      const ended = handledLater(calls.end());
      await watcher.close();
      await ended;
    },
  };
}

/** The folders to watch, and the parts of them that count. */
export interface WatchedPlaces {
  readonly folders: readonly string[];
  readonly hasPart: (file: string, isFile: boolean) => boolean;
}

/** Returns the places to watch for folders and files, in the paths of a system. */
export function watchedPlaces(
  root: string,
  given: readonly string[],
  files: readonly string[],
  system: path.PlatformPath = path,
): WatchedPlaces {
  const folders = given.map((folder) => system.resolve(root, folder));
  const named = new Set(files);
  // A file is watched by its folder: the watch of a file ends when another one is renamed into its place.
  const parents = new Set(files.map((file) => system.dirname(file)));
  const isBelow = (file: string): boolean =>
    folders.some((folder) => file === folder || file.startsWith(`${folder}${system.sep}`));
  return {
    folders: [...folders, ...parents],
    hasPart: (found, isFile) => {
      // chokidar separates folders with slashes, also on Windows.
      const file = system.normalize(found);
      if (named.has(file) || (!isFile && parents.has(file))) return true;
      return isBelow(file) && mayHoldSources(system.relative(root, file), isFile, system);
    },
  };
}

/** Calls back some time after changes were noted, never twice at a time. */
class SettledCalls {
  readonly #changed = new Set<string>();
  /** The files whose removal was reported. */
  readonly #gone = new Set<string>();
  #onChange: OnChange | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  note(file: string): void {
    this.#changed.add(file);
    this.#schedule();
  }

  begin(onChange: OnChange): void {
    this.#onChange = onChange;
    if (this.#changed.size > 0) this.#schedule();
  }

  async end(): Promise<void> {
    this.#onChange = undefined;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(): void {
    if (this.#onChange === undefined || this.#running !== undefined) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#run(this.#onChange), SETTLE_MS);
  }

  #run(onChange: OnChange | undefined): void {
    if (onChange === undefined) return;
    const files = [...this.#changed].filter((file) => this.#isNews(file)).toSorted();
    this.#changed.clear();
    if (files.length === 0) return;
    this.#running = onChange(files).finally(() => {
      this.#running = undefined;
      if (this.#changed.size > 0) this.#schedule();
    });
  }

  // chokidar reports a removal 100 ms later than the system, in case that another file takes its place.
  #isNews(file: string): boolean {
    if (existsSync(file)) {
      this.#gone.delete(file);
      return true;
    }
    if (this.#gone.has(file)) return false;
    this.#gone.add(file);
    return true;
  }
}

// What a system tells of a folder names a file in it, and of a file that file again; some systems name none.
function rawPath(name: string | null, details: unknown): string {
  const { watchedPath = "" } = details as { readonly watchedPath?: string };
  return name === null || path.basename(watchedPath) === name ? watchedPath : path.resolve(watchedPath, name);
}

/** Reports whether a path relative to the root is that of a source, or of a folder that may have some. */
export function mayHoldSources(relative: string, isFile: boolean, { sep }: path.PlatformPath = path): boolean {
  const segments = relative.split(sep).filter((each) => each !== "..");
  if (segments.some((each) => each === "node_modules" || each === "dist" || /^\.[^.]/u.test(each))) return false;
  return !isFile || (/\.[mc]?ts$/u.test(relative) && !NO_SOURCE.test(relative));
}

// Tests, declarations and what is generated.
const NO_SOURCE = /\.(?:test|spec|d)\.[mc]?ts$|(?:^|[/\\])zz_generated\.[^/\\]*$/u;
