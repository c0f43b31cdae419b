import { renderTemplate } from "../machinery/template.ts";
import { UnsupportedSubcommandError } from "../plugin/errors.ts";
import type { Plugin, Scaffold } from "../plugin/plugin.ts";
import { type PluginRegistry, resolvePlugins, type ResolvedPlugins } from "../plugin/registry.ts";
import { createScaffoldContext } from "../plugin/scaffold-context.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import type { Invocation } from "./command.ts";
import { listFlag } from "./flag-values.ts";
import type { ProjectSession } from "./project-session.ts";

/** What plugins take part in, with their part of it. */
export interface ScaffoldRun<Options> {
  readonly session: ProjectSession;
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  readonly command: string;
  readonly scaffoldOf: (plugin: Plugin) => Scaffold<Options> | undefined;
  readonly options: Options;
}

/** Lets the plugins plan in the tree of the session, in their order, and returns their notes. Fails: `UnsupportedSubcommandError` when none does. */
export function runScaffolds<Options>(run: ScaffoldRun<Options>): readonly string[] {
  const notes: string[] = [];
  const taking = run.plugins.plugins.filter((plugin) => run.scaffoldOf(plugin) !== undefined);
  if (taking.length === 0) throw new UnsupportedSubcommandError(run.command, run.plugins.keys);
  for (const plugin of taking) {
    const note = (message: string): void => void notes.push(message);
    const { tree } = run.session;
    const context = createScaffoldContext({
      tree,
      project: run.project,
      templates: plugin.templates,
      render: renderTemplate,
      note,
    });
    run.scaffoldOf(plugin)?.(context, run.options);
  }
  return notes;
}

/** Resolves the plugins of a call: those of `--plugins`, else those of the project, else the default. */
export async function pluginsFor(invocation: Invocation, project?: ProjectConfig): Promise<ResolvedPlugins> {
  const registry: PluginRegistry = await invocation.program.registry();
  const asked = listFlag(invocation.flags, "plugins");
  const recorded = project?.layout ?? [];
  const keys = asked.length > 0 ? asked : recorded.length > 0 ? recorded : [registry.defaultKey];
  return resolvePlugins(registry, keys);
}
