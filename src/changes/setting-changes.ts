import { ScaffoldError } from "@kubescaffold/k8s";

import type { FileTree } from "../machinery/file-tree.ts";
import { textDiff } from "../machinery/text-diff.ts";
import type { ResolvedPlugins } from "../plugin/registry.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { regenerate } from "./regenerate.ts";

/** A project with a setting as it was, and as it is to be. */
export interface SettingRequest {
  readonly tree: FileTree;
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  /** Files that cannot be changed line by line are overwritten. */
  readonly force: boolean;
}

/** What is left to do by hand, and the files that were overwritten. */
export interface SettingResult {
  readonly notes: readonly string[];
  readonly replaced: readonly string[];
}

/** A file that the scaffolds make differently after the change. */
export interface FileChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The files of a project that depend on a setting. */
interface SettingChanges {
  readonly changed: readonly FileChange[];
  /** Files that are made after the change only, by path. */
  readonly added: ReadonlyMap<string, string>;
  /** Files that are made before the change only, by path. */
  readonly removed: ReadonlyMap<string, string>;
}

/** Returns what the scaffolds make differently with the new setting. */
export async function settingChanges({ tree, previous, project, plugins }: SettingRequest): Promise<SettingChanges> {
  const made = { plugins, added: [], source: tree, packages: {} };
  const [before, after] = [await regenerate({ ...made, project: previous }), await regenerate({ ...made, project })];
  const contents = (files: typeof before, others: typeof before): ReadonlyMap<string, string> =>
    new Map([...files].filter(([path]) => !others.has(path)).map(([path, { content }]) => [path, content]));
  return {
    changed: [...before].flatMap(([path, { content }]) => {
      const next = after.get(path)?.content ?? content;
      return next === content ? [] : [{ path, before: content, after: next }];
    }),
    added: contents(after, before),
    removed: contents(before, after),
  };
}

/**
 * Thrown when a setting changes lines that you have edited; the message shows the expected lines.
 *
 * Fix: Edit the lines as shown and run the command again, or overwrite the files with `--force`.
 */
export class UnmergedFilesError extends ScaffoldError {
  readonly code = "CLI_UNMERGED_FILES";
  constructor(changes: readonly FileChange[]) {
    const diffs = changes.map(({ path, before, after }) => textDiff({ path, before, after }));
    super(`cannot change the setting in lines that were changed by hand:\n${diffs.join("\n")}`, {
      hint: "change these lines as shown and run the command again, or pass --force to overwrite the files; nothing was written",
    });
  }
}
