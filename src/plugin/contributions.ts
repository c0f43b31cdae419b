import { FileTree, type ProjectReader } from "../machinery/file-tree.ts";
import { type CommentedBlock, enableBlock, type Fragment, insertAtMarker } from "../machinery/insertion-points.ts";
import type { Plugin } from "./plugin.ts";
import { createReplayContext, type Replay } from "./replay-context.ts";
import type { ScaffoldContext } from "./scaffold-context.ts";

/** What scaffolds contribute to a project: files as they come from them, lines in files of others, and blocks that they switch on. */
export interface Contributions {
  readonly files: ReadonlyMap<string, string>;
  readonly fragments: readonly Fragment[];
  readonly blocks: readonly CommentedBlock[];
}

/** One part of one plugin, ready to be run. */
export interface Contributor {
  readonly plugin: Plugin;
  readonly run: (context: ScaffoldContext) => void | Promise<void>;
}

/** What a recording needs to know. */
export interface RecordOptions extends Omit<Replay, "tree"> {
  /** What is there before; files that the scaffolds are to make must not be. */
  readonly reader: ProjectReader;
}

/**
 * Runs scaffolds against a tree that nothing else sees, and returns what they contribute.
 *
 * Guarantees: nothing fails because a file of others lacks its insertion marker; nothing is written anywhere; plugins that need the whole project
 * are omitted.
 */
export async function recordContributions(
  contributors: readonly Contributor[],
  options: RecordOptions,
): Promise<Contributions> {
  const tree = new FileTree(options.reader);
  const fragments: Fragment[] = [];
  const blocks: CommentedBlock[] = [];
  for (const { plugin, run } of contributors) {
    if (plugin.needsWholeProject === true) continue;
    const context = createReplayContext(plugin, { ...options, tree });
    await run({
      ...context,
      insert: (fragment) => {
        fragments.push(fragment);
        if (isMade(tree, fragment.path)) tree.update(fragment.path, (content) => insertAtMarker(content, fragment));
      },
      enable: (path, lines) => {
        blocks.push({ path, lines });
        if (isMade(tree, path)) tree.update(path, (content) => enableBlock(content, { path, lines }));
      },
    });
  }
  const created = tree.actions().flatMap((action) => (action.kind === "create" ? [action] : []));
  return { files: new Map(created.map(({ path, content }) => [path, content])), fragments, blocks };
}

function isMade(tree: FileTree, path: string): boolean {
  return tree.actions().some((action) => action.path === path && action.kind === "create");
}
