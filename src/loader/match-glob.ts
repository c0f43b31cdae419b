import path from "node:path";

import picomatch from "picomatch";

import { isSkippedDirectory } from "./skipped-directories.ts";
import type { SourceHost } from "./source-host.ts";

export interface MatchGlobOptions {
  readonly host: SourceHost;
  readonly root: string;
  /** Relative to the root, or absolute. */
  readonly glob: string;
}

/** What a glob matches, absolute and sorted. */
export interface GlobMatches {
  readonly files: readonly string[];
  readonly directories: readonly string[];
}

/** Says whether a path has wildcards. */
export function isGlob(given: string): boolean {
  return picomatch.scan(given).isGlob;
}

/** Finds the files and folders that a glob matches; folders of libraries and output are not looked into. */
export function matchGlob({ host, root, glob }: MatchGlobOptions): GlobMatches {
  const { base, glob: pattern } = picomatch.scan(glob.replace(/\/$/u, ""));
  const top = path.resolve(root, base);
  const isMatch = picomatch(pattern);
  const files: string[] = [];
  const directories: string[] = [];
  const walk = (directory: string, prefix: string): void => {
    for (const { name, kind } of host.listDirectory(directory) ?? []) {
      const target = path.join(directory, name);
      const relative = `${prefix}${name}`;
      if (kind === "directory") {
        if (isSkippedDirectory(name)) continue;
        if (isMatch(relative)) directories.push(target);
        walk(target, `${relative}/`);
      } else if (isMatch(relative) && (kind === "file" || host.kindOf(target) === "file")) files.push(target);
    }
  };
  walk(top, "");
  return { files, directories };
}
