import type { KubernetesMinor } from "@kubescaffold/k8s";

import { outputSteps } from "../../../changes/next-steps.ts";
import { planMove } from "../../../changes/plan-move.ts";
import { planScope } from "../../../changes/plan-scope.ts";
import { partsOf, replayParts } from "../../../changes/replay.ts";
import type { SettingResult } from "../../../changes/setting-changes.ts";
import { workflowNotes } from "../../../changes/workflow-notes.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { UnsupportedSubcommandError } from "../../../plugin/errors.ts";
import type { Plugin } from "../../../plugin/plugin.ts";
import type { ResolvedPlugins } from "../../../plugin/registry.ts";
import { BOILERPLATE_FILE } from "../../../project/boilerplate-file.ts";
import { type CertificateIssuer, withCertificateIssuer } from "../../../project/certificates.ts";
import { withKubernetesVersion } from "../../../project/kubernetes-version.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import type { ProjectDocument } from "../../../project/project-file.ts";
import { requireOneGroup, withTypesPaths } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command/command.ts";
import { InvalidFlagError } from "../../command/errors.ts";
import {
  changeOptions,
  type OptionChanges,
  readGeneratorOptions,
  withGeneratorOptions,
} from "../../generating/generator-options.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import {
  loadProject,
  type ProjectSession,
  withProjectSession,
  pluginsFor,
  pluginsToReplay,
  runScaffolds,
} from "../../session/project-session.ts";
import { type SettingChange, switchCertificates } from "../../session/switch-certificates.ts";
import { showSettings } from "./show-settings.ts";

const NOTHING_NEW = "The files of the plugins are up to date: nothing was changed.";

/** Settings to change; those that are undefined stay. */
export interface EditOptions {
  /** Whether the settings are printed, and nothing changes. */
  readonly shows: boolean;
  readonly multigroup: boolean | undefined;
  readonly namespaced: boolean | undefined;
  /** The minor version of Kubernetes. */
  readonly kubernetes: KubernetesMinor | undefined;
  /** Where certificates come from. */
  readonly certificates: CertificateIssuer | undefined;
  /** Whether plugins other than those of the project take part. */
  readonly choosesPlugins: boolean;
  /** The comment at the top of new sources; empty for none. */
  readonly boilerplate: string | undefined;
  /** Changes of the options of generators. */
  readonly changes: OptionChanges;
  /** Whether files that were changed since they were scaffolded are overwritten. */
  readonly force: boolean;
  /** Whether the manifests are regenerated where their sources change. */
  readonly makesManifests: boolean;
}

/** Changes the settings of the project in the working folder. */
export function runEdit(options: EditOptions, invocation: Invocation): Promise<number> {
  if (options.shows) return showSettings(invocation);
  const { multigroup, namespaced, certificates, boilerplate, changes, makesManifests, force } = options;
  const hasPlugins = options.choosesPlugins;
  const hasChanges = changes.removed.length > 0 || Object.keys(changes.added).length > 0;
  const settings = [multigroup, namespaced, certificates, boilerplate, options.kubernetes];
  if (settings.every((each) => each === undefined) && !hasPlugins && !hasChanges) {
    throw new InvalidFlagError("cannot edit the project: no setting is specified", {
      hint: "pass --multigroup, --namespaced, --certificates, --kubernetes, --license, --generator-options, or --plugins with the key of a plugin to add; --show prints the settings",
    });
  }
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const scoped = withSettings(previous, { multigroup, namespaced });
    const issued = certificates === undefined ? scoped : withCertificateIssuer(scoped, certificates);
    const wanted = withVersion(withOptions(issued, hasChanges ? { document, changes } : undefined), options.kubernetes);
    const moved = withSettings(previous, { multigroup, namespaced: undefined });
    const moves = await moveGroups(invocation, session, { previous, project: moved });
    const left = await scopeFiles(invocation, session, { previous: moved, project: scoped, force });
    const switched = await switchCertificates(invocation, session, { previous: scoped, project: issued, force });
    const plugins = await pluginsFor(invocation, wanted);
    if (hasPlugins) refuseWithoutPart(plugins);
    if (makesManifests && plugins.plugins.some((each) => each.edit !== undefined && each.readsGenerated === true))
      await makeManifests(invocation, session);
    const { notes, project } = await runScaffolds({
      invocation,
      session,
      project: wanted,
      plugins,
      command: "edit",
      scaffoldOf: (plugin) => plugin.edit,
      options: { previous },
    });
    if (boilerplate !== undefined) writeBoilerplate(session.tree, boilerplate);
    session.tree.update(PROJECT_FILE, () => document.print(project));
    const overwritten = new Set([...left.replaced, ...switched.replaced]);
    const replaced = session.tree.replaced().filter((path) => overwritten.has(path));
    await confirmReplacing(invocation, { actions: session.tree.actions(), paths: replaced, verb: "Replace" });
    if (makesManifests && (isScoped(previous, wanted) || hasChanges)) await makeManifests(invocation, session);
    const actions = session.tree.actions();
    if (!dry) await session.commit(actions);
    reportOutcome(invocation, {
      actions,
      replaced,
      notes: [
        ...(actions.length === 0 ? [hasPlugins ? NOTHING_NEW : "The project already has these settings."] : []),
        ...notes,
        ...moves,
        ...left.notes,
        ...switched.notes,
        ...workflowNotes(session.root, actions),
      ],
      next:
        actions.length === 0 ? [] : await outputSteps(invocation, { project, tree: session.tree }, ranWith(plugins)),
    });
    return 0;
  });
}

function withVersion(project: ProjectConfig, minor: KubernetesMinor | undefined): ProjectConfig {
  return minor === undefined ? project : withKubernetesVersion(project, minor);
}

function withOptions(
  project: ProjectConfig,
  edited: { readonly document: ProjectDocument; readonly changes: OptionChanges } | undefined,
): ProjectConfig {
  if (edited === undefined) return project;
  return withGeneratorOptions(project, changeOptions(readGeneratorOptions(edited.document), edited.changes));
}

function ranWith({ plugins }: ResolvedPlugins): readonly Plugin[] {
  return plugins.filter((each) => each.edit !== undefined);
}

// The plugins of a bundle may take part where the one that gave it its key does not: then nothing of what was asked for by its key would happen.
function refuseWithoutPart({ keys, plugins }: ResolvedPlugins): void {
  const idle = keys.filter((key) => plugins.some((each) => each.key === key && each.edit === undefined));
  if (idle.length > 0) throw new UnsupportedSubcommandError("edit", idle);
}

// Sources that are there keep their comments: whose they are is not for a command to decide.
function writeBoilerplate(tree: FileTree, boilerplate: string): void {
  if (boilerplate !== "") tree.create(BOILERPLATE_FILE, boilerplate, { ifExists: "overwrite" });
  else if (tree.exists(BOILERPLATE_FILE)) tree.delete(BOILERPLATE_FILE);
}

function withSettings(
  project: ProjectConfig,
  settings: { readonly multigroup: boolean | undefined; readonly namespaced: boolean | undefined },
): ProjectConfig {
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  return withTypesPaths({ ...project, ...Object.fromEntries(given) });
}

// Files are below folders of their group, or not, by the setting: those that are there follow it.
async function moveGroups(
  invocation: Invocation,
  { tree }: ProjectSession,
  { previous, project }: { readonly previous: ProjectConfig; readonly project: ProjectConfig },
): Promise<readonly string[]> {
  if ((previous.multigroup === true) === (project.multigroup === true)) return [];
  requireOneGroup(project);
  const { plugins, keys } = await pluginsToReplay(invocation, previous);
  const replay = { plugins, chain: keys, tree };
  const [before, after] = [partsOf(previous).slice(1), partsOf(project).slice(1)];
  if (before.length === 0) return [];
  const parts = await Promise.all(
    before.map(async (part, index) => ({
      before: await replayParts([part], { ...replay, project: previous }),
      after: await replayParts(after.slice(index, index + 1), { ...replay, project }),
    })),
  );
  const { rewriteImports } = await import("../../../machinery/typescript-imports.ts");
  return planMove({ tree, parts, rewriteImports });
}

function isScoped(previous: ProjectConfig, project: ProjectConfig): boolean {
  return (previous.namespaced === true) !== (project.namespaced === true);
}

// The manager, its roles and the markers of permissions follow the setting.
async function scopeFiles(
  invocation: Invocation,
  { tree }: ProjectSession,
  { previous, project, force }: SettingChange,
): Promise<SettingResult> {
  if (!isScoped(previous, project)) return { notes: [], replaced: [] };
  const plugins = await pluginsToReplay(invocation, previous);
  return planScope({ tree, previous, project, plugins, force });
}
