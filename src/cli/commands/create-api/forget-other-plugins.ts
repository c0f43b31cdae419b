import { planRemoval } from "../../../changes/plan-removal.ts";
import { partsOf, replayParts } from "../../../changes/replay.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import type { Plugin, PluginBundle } from "../../../plugin/plugin.ts";
import { withoutPluginData } from "../../../project/plans/plan-delete.ts";
import { findResource, type ProjectConfig, type ProjectResource } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { pluginsToReplay } from "../../session/project-session.ts";

/** An API that a command overwrites. */
interface Rewriting {
  readonly tree: FileTree;
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  readonly resource: ProjectResource;
  /** The plugins that take part. */
  readonly plugins: readonly Plugin[];
}

/**
 * Plans to remove what other plugins have made of an API whose types and controller are overwritten, and returns the project without their data of it.
 *
 * The returned paths are those of files that were changed since they were scaffolded.
 */
export async function forgetOtherPlugins(
  invocation: Invocation,
  { tree, previous, project, resource, plugins }: Rewriting,
): Promise<{ readonly project: ProjectConfig; readonly changed: readonly string[] }> {
  const known = findResource(previous, { ...resource, group: resource.group ?? "" });
  const all = await pluginsToReplay(invocation, previous);
  // The registry may load a plugin again for each call, so that they are compared by their keys.
  const taking = new Set(plugins.map(({ key }) => key));
  const others = all.plugins.filter((each) => each.isReplayable === true && !taking.has(each.key));
  const { bundles } = await invocation.program.registry();
  const keys = others.flatMap(({ key }) => [
    key,
    ...bundles.filter((each) => isOnly(each, key)).map((each) => each.key),
  ]);
  const left = withoutPluginData(project, resource, keys);
  const hasData = JSON.stringify(left.plugins) !== JSON.stringify(project.plugins);
  if (known === undefined || !hasData) return { project, changed: [] };
  const replay = { plugins: all.plugins, chain: all.keys, tree };
  const removed = await replayParts(partsOf({ ...previous, resources: [known] }), { ...replay, project: previous });
  const kept = await replayParts(partsOf(left), { ...replay, project: left });
  return { project: left, changed: planRemoval({ tree, removed, kept }).map(({ path }) => path) };
}

function isOnly({ plugins }: PluginBundle, key: string): boolean {
  return plugins.every((each) => each.key === key);
}
