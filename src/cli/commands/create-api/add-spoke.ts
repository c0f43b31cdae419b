import { planWebhook } from "../../../project/plans/plan-webhook.ts";
import { type ProjectConfig, type ProjectResource, withResource } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { pluginsFor, type ProjectSession, runScaffolds } from "../../session/project-session.ts";

/** A version that is to be converted to and from the hub of its kind. */
export interface NewSpoke {
  readonly project: ProjectConfig;
  readonly hub: ProjectResource;
  readonly version: string;
}

/** Plans the conversion of a new version as `create webhook --conversion --spoke` does, with the plugins of the project. */
export async function addSpoke(
  invocation: Invocation,
  session: ProjectSession,
  { project, hub, version }: NewSpoke,
): ReturnType<typeof runScaffolds> {
  const request = { defaulting: false, validation: false, conversion: true, force: false };
  const { group = "", kind } = hub;
  const resource = planWebhook(project, { ...request, group, version: hub.version, kind, spokes: [version] });
  const planned = withResource(project, resource);
  return await runScaffolds({
    invocation,
    session,
    project: planned,
    // The plugins of the call write types.
    plugins: await pluginsFor({ ...invocation, pluginKeys: [] }, planned),
    command: "create webhook",
    scaffoldOf: (plugin) => plugin.createWebhook,
    options: { ...request, resource, previous: project },
  });
}
