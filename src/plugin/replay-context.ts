import type { FileTree } from "../machinery/file-tree.ts";
import type { renderTemplate } from "../machinery/template.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { Plugin } from "./plugin.ts";
import { configurationKeyOf } from "./registry.ts";
import { createScaffoldContext, type ScaffoldContext } from "./scaffold-context.ts";

/** What scaffolds are run against once more. */
export interface Replay {
  readonly tree: FileTree;
  readonly project: ProjectConfig;
  /** The keys of the plugins of the project. */
  readonly chain: readonly string[];
  readonly render: typeof renderTemplate;
}

/**
 * Makes the context of a plugin whose scaffolds are run again for what PROJECT says already.
 *
 * Guarantees: there are no flags; what the plugin stores or notes is dropped, for it was stored and said before.
 */
export function createReplayContext(plugin: Plugin, { tree, project, chain, render }: Replay): ScaffoldContext {
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
