import { planRemoval } from "../../../changes/plan-removal.ts";
import { partsOf, replayParts } from "../../../changes/replay.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { membersOf, updatePackageManifest } from "../../../plugin/package-manifest.ts";
import { kubectlPluginsOf, namesOfPlugin, withKubectlPlugins } from "../../../project/kubectl-plugins.ts";
import { storedKubectlPlugin } from "../../../project/plans/plan-kubectl-plugin.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { confirmReplacing, reportOutcome } from "../../output/report-outcome.ts";
import { loadProject, pluginsToReplay, withProjectSession } from "../../session/project-session.ts";
import { describeFinding, refuseChanged } from "../delete/run-delete.ts";

/** A kubectl plugin to remove. */
export interface DeleteKubectlPluginOptions {
  readonly name: string;
  /** Whether files that were changed since they were scaffolded are deleted, too. */
  readonly force: boolean;
}

/** Removes a kubectl plugin from the project in the working folder. */
export function runDeleteKubectlPlugin(
  { name, force }: DeleteKubectlPluginOptions,
  invocation: Invocation,
): Promise<number> {
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { tree } = session;
    const { project: previous, document } = loadProject(session);
    const record = storedKubectlPlugin(previous, name);
    const left = kubectlPluginsOf(previous).filter((each) => each !== record);
    const project = withKubectlPlugins(previous, left);
    const { plugins, keys } = await pluginsToReplay(invocation, previous);
    const replay = { plugins, chain: keys, tree };
    const gone = partsOf(previous).filter((part) => part.kind === "kubectl-plugin" && part.name === name);
    const removed = await replayParts(gone, { ...replay, project: previous });
    const kept = await replayParts(partsOf(project), { ...replay, project });
    const findings = planRemoval({ tree, removed, kept });
    if (!force && !dry) refuseChanged(findings);
    await confirmReplacing(invocation, {
      actions: tree.actions(),
      paths: findings.map((each) => each.path),
      verb: "Delete",
    });
    const notes = [...removeScript(tree, name), ...othersNote(tree, name)];
    tree.update(PROJECT_FILE, () => document.print(project));
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    reportOutcome(invocation, { actions, notes: [...findings.map((each) => describeFinding(each, tree)), ...notes] });
    return 0;
  });
}

function removeScript(tree: FileTree, name: string): readonly string[] {
  const { script, build } = namesOfPlugin(name);
  if (!tree.exists("package.json")) return [];
  let isChanged = false;
  updatePackageManifest(tree, (manifest) => {
    const { [script]: present, ...scripts } = membersOf(manifest, "scripts");
    isChanged = present !== undefined && present !== build;
    return present === build ? { scripts } : {};
  });
  return isChanged ? [`The script ${script} in package.json was changed: remove it by hand.`] : [];
}

// Commands that the user added are in no record.
function othersNote(tree: FileTree, name: string): readonly string[] {
  const others = tree.filesBelow(namesOfPlugin(name).folder);
  if (others.length === 0) return [];
  return [`These files were not scaffolded, and are left:\n${others.map((file) => `  ${file}`).join("\n")}`];
}
