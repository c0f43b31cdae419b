import { renderTemplate } from "../../machinery/template.ts";
import { UnsupportedSubcommandError } from "../../plugin/errors.ts";
import type { PluginCommand } from "../../plugin/flag.ts";
import type { Plugin, Scaffold } from "../../plugin/plugin.ts";
import {
  configurationKeyOf,
  type PluginRegistry,
  resolvePlugins,
  type ResolvedPlugins,
} from "../../plugin/registry.ts";
import { createScaffoldContext } from "../../plugin/scaffold-context.ts";
import type { ProjectConfig } from "../../project/project-config.ts";
import type { Invocation } from "../command.ts";
import { listFlag } from "../flags/flag-values.ts";
import type { ProjectSession } from "./project-session.ts";

/** What plugins take part in, with their part of it. */
export interface ScaffoldRun<Options> {
  readonly invocation: Pick<Invocation, "flags">;
  readonly session: ProjectSession;
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  readonly command: PluginCommand;
  readonly scaffoldOf: (plugin: Plugin) => Scaffold<Options> | undefined;
  readonly options: Options;
}

/** What the plugins have to say, and the project with the data that they store in it. */
export interface Scaffolded {
  readonly notes: readonly string[];
  readonly project: ProjectConfig;
}

/** Lets the plugins plan in the tree of the session, one after the other. Fails: `UnsupportedSubcommandError` when none takes part. */
export async function runScaffolds<Options>(run: ScaffoldRun<Options>): Promise<Scaffolded> {
  const notes: string[] = [];
  const taking = run.plugins.plugins.filter((plugin) => run.scaffoldOf(plugin) !== undefined);
  if (taking.length === 0) throw new UnsupportedSubcommandError(run.command, run.plugins.keys);
  let project = run.project;
  for (const plugin of taking) {
    const key = configurationKeyOf(plugin.key, run.plugins.keys);
    const context = createScaffoldContext({
      tree: run.session.tree,
      project,
      templates: plugin.templates,
      render: renderTemplate,
      note: (message) => void notes.push(message),
      flags: run.invocation.flags,
      configuration: project.plugins?.[key],
      storeConfiguration: (data) => {
        project = { ...project, plugins: { ...project.plugins, [key]: data } };
      },
    });
    await run.scaffoldOf(plugin)?.(context, run.options);
  }
  return { notes, project };
}

/** Resolves the plugins whose parts a project was generated from: its own, then those that were called for single commands and have stored data in it. */
export async function pluginsToReplay({ program }: Invocation, project: ProjectConfig): Promise<ResolvedPlugins> {
  const registry = await program.registry();
  const own = resolvePlugins(registry, project.layout.length > 0 ? project.layout : [registry.defaultKey]);
  const known = [...registry.bundles, ...registry.plugins].filter(({ key }) => project.plugins?.[key] !== undefined);
  const called = known
    .flatMap((each) => ("plugins" in each ? each.plugins : [each]))
    .filter((plugin) => plugin.isReplayable === true);
  return { keys: own.keys, plugins: [...new Set([...own.plugins, ...called])] };
}

/** Resolves the plugins of a call: those of `--plugins`, else those of the project, else the default. */
export async function pluginsFor(invocation: Invocation, project?: ProjectConfig): Promise<ResolvedPlugins> {
  const registry: PluginRegistry = await invocation.program.registry();
  const asked = listFlag(invocation.flags, "plugins");
  const recorded = project?.layout ?? [];
  const keys = asked.length > 0 ? asked : recorded.length > 0 ? recorded : [registry.defaultKey];
  return resolvePlugins(registry, keys);
}
