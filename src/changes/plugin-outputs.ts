import type { FileTree } from "../machinery/file-tree.ts";
import { shortKeyOf } from "../plugin/plugin-key.ts";
import type { Plugin } from "../plugin/plugin.ts";
import type { PluginRegistry } from "../plugin/registry.ts";
import type { ProjectConfig } from "../project/project-config.ts";

/** What a plugin has made of a project as a whole; only `edit` regenerates it. */
export interface PluginOutput {
  readonly plugin: Plugin;
  /** The key under which PROJECT has its data. */
  readonly key: string;
  readonly folder: string;
  /** What regenerates it. */
  readonly command: string;
}

/** The name of the running program and its plugins. */
export interface ProgramWithPlugins {
  readonly program: { readonly name: string; readonly registry: () => Promise<PluginRegistry> };
}

/** Returns what plugins have made of a project of what the generators write, and is there. */
export async function pluginOutputs(
  { program }: ProgramWithPlugins,
  { project, tree }: { readonly project: ProjectConfig; readonly tree: FileTree },
): Promise<readonly PluginOutput[]> {
  if (project.plugins === undefined) return [];
  const { plugins, bundles } = await program.registry();
  const all = new Set([...plugins, ...bundles.flatMap((bundle) => bundle.plugins)]);
  return [...all].flatMap((plugin) => {
    const keys = [plugin.key, ...bundles.filter((each) => each.plugins.includes(plugin)).map((each) => each.key)];
    const key = keys.find((each) => project.plugins?.[each] !== undefined);
    const folder = key === undefined ? undefined : plugin.outputFolder?.(project.plugins?.[key]);
    if (key === undefined || folder === undefined || tree.filesBelow(folder).length === 0) return [];
    return [{ plugin, key, folder, command: `${program.name} edit --plugins=${shortKeyOf(key)}` }];
  });
}

/** Returns how that is regenerated after a command that has changed the project and in which other plugins took part. */
export async function outputSteps(
  invocation: ProgramWithPlugins,
  project: { readonly project: ProjectConfig; readonly tree: FileTree },
  ran: readonly Plugin[] = [],
): Promise<readonly string[]> {
  const outputs = await pluginOutputs(invocation, project);
  return outputs
    .filter(({ plugin }) => !ran.includes(plugin))
    .map(({ command, folder }) => `${command}    # regenerates ${folder}`);
}
