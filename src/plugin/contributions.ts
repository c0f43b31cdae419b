import type { CommentedBlock } from "../machinery/enable-block.ts";
import { FileTree, type ProjectReader } from "../machinery/file-tree.ts";
import { type Fragment, insertAtMarker } from "../machinery/insertion-marker.ts";
import type { renderTemplate } from "../machinery/template.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { configurationKeyOf } from "./configuration-key.ts";
import type { Plugin } from "./plugin.ts";
import { createScaffoldContext, type ScaffoldContext } from "./scaffold-context.ts";

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
export interface RecordOptions {
  readonly project: ProjectConfig;
  /** The keys of the plugins of the project. */
  readonly chain: readonly string[];
  /** What is there before; files that the scaffolds are to make must not be. */
  readonly reader: ProjectReader;
  readonly render: typeof renderTemplate;
}

/**
 * Runs scaffolds against a tree that nothing else sees, and returns what they contribute.
 *
 * Guarantees: nothing fails because a file of others lacks its insertion marker; nothing is written anywhere.
 */
export async function recordContributions(
  contributors: readonly Contributor[],
  options: RecordOptions,
): Promise<Contributions> {
  const tree = new FileTree(options.reader);
  const fragments: Fragment[] = [];
  const blocks: CommentedBlock[] = [];
  for (const { plugin, run } of contributors) {
    const context = contextFor(plugin, tree, options);
    await run({
      ...context,
      insert: (fragment) => {
        fragments.push(fragment);
        if (isMade(tree, fragment.path)) tree.update(fragment.path, (content) => insertAtMarker(content, fragment));
      },
      enable: (path, lines) => {
        blocks.push({ path, lines });
      },
    });
  }
  const created = tree.actions().flatMap((action) => (action.kind === "create" ? [action] : []));
  return { files: new Map(created.map(({ path, content }) => [path, content])), fragments, blocks };
}

function contextFor(plugin: Plugin, tree: FileTree, { project, chain, render }: RecordOptions): ScaffoldContext {
  return createScaffoldContext({
    tree,
    project,
    templates: plugin.templates,
    render,
    note: () => undefined,
    flags: {},
    configuration: project.plugins?.[configurationKeyOf(plugin.key, chain)],
    storeConfiguration: () => undefined,
  });
}

function isMade(tree: FileTree, path: string): boolean {
  return tree.actions().some((action) => action.path === path && action.kind === "create");
}
