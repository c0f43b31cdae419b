import { installSteps } from "../../../changes/next-steps.ts";
import {
  kubectlPluginsOf,
  namesOfPlugin,
  resourceOfPlugin,
  withKubectlPlugins,
} from "../../../project/kubectl-plugins.ts";
import { type KubectlPluginRequest, planKubectlPlugin } from "../../../project/plans/plan-kubectl-plugin.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { reportOutcome } from "../../output/report-outcome.ts";
import { loadProject, pluginsToReplay, runScaffolds, withProjectSession } from "../../session/project-session.ts";

/** A kubectl plugin to add. */
export interface CreateKubectlPluginOptions {
  readonly request: KubectlPluginRequest;
}

/** Adds a kubectl plugin to the project in the working folder. */
export function runCreateKubectlPlugin(
  { request }: CreateKubectlPluginOptions,
  invocation: Invocation,
): Promise<number> {
  return withProjectSession(invocation, { isDryRun: invocation.isDryRun }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const record = planKubectlPlugin(previous, request);
    const resource = resourceOfPlugin(previous, record);
    const planned = withKubectlPlugins(previous, [...kubectlPluginsOf(previous), record]);
    const { notes, project } = await runScaffolds({
      invocation,
      session,
      project: planned,
      plugins: await pluginsToReplay(invocation, planned),
      command: "create kubectl-plugin",
      scaffoldOf: (plugin) => plugin.createKubectlPlugin,
      options: { name: record.name, resource, force: false },
    });
    session.tree.update(PROJECT_FILE, () => document.print(project));
    const actions = session.tree.actions();
    if (!invocation.isDryRun) await session.commit(actions);
    const { folder } = namesOfPlugin(record.name);
    const install = installSteps(session.tree, [], resource);
    reportOutcome(invocation, {
      actions,
      skipped: session.tree.skipped(),
      notes,
      next: [
        ...install,
        `add commands to ${folder}/plugin.ts, and describe the plugin in ${folder}/krew.json`,
        `npm run build:kubectl-${record.name}    # bundles it into dist/kubectl-${record.name}; add that folder to PATH`,
      ],
    });
    return 0;
  });
}
