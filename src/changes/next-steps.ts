import type { FileTree, FileAction } from "../machinery/file-tree.ts";
import type { Plugin } from "../plugin/plugin.ts";
import { shortKeyOf, type PluginRegistry } from "../plugin/registry.ts";
import type { ProjectConfig, ProjectResource } from "../project/project-config.ts";

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

const MANIFEST = "package.json";

/** Returns what brings the packages that a project lacks after a command: those that package.json has since, or that of an external kind's types. */
export function installSteps(
  tree: Pick<FileTree, "read">,
  actions: readonly FileAction[],
  resource: ProjectResource,
): readonly string[] {
  if (actions.some((action) => action.path === MANIFEST)) return ["npm install"];
  const name = resource.external === true ? packageOf(resource.path ?? "") : undefined;
  if (name === undefined || dependenciesIn(tree.read(MANIFEST) ?? "").includes(name)) return [];
  return [`npm install ${name}    # has the types of ${resource.kind}`];
}

function packageOf(specifier: string): string | undefined {
  return /^(?:@[^/]+\/)?[^@./][^/]*/u.exec(specifier)?.[0];
}

function dependenciesIn(manifest: string): readonly string[] {
  try {
    const { dependencies, devDependencies } = JSON.parse(manifest) as Readonly<Record<string, object | undefined>>;
    return Object.keys({ ...dependencies, ...devDependencies });
  } catch {
    // The project may be made by plugins that write none, or have one that npm cannot read either.
    return [];
  }
}
