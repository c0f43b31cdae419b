import { existsSync } from "node:fs";
import path from "node:path";

import { packageSpecs } from "../../../changes/package-specs.ts";
import { regenerate, type RegeneratedFile, regenerateLate, type Regeneration } from "../../../changes/regenerate.ts";
import { runGit } from "../../../git/git.ts";
import { createDiskReader } from "../../../machinery/disk.ts";
import { FileTree } from "../../../machinery/file-tree.ts";
import { UnknownPluginError } from "../../../plugin/errors.ts";
import type { Plugin } from "../../../plugin/plugin.ts";
import {
  configurationKeyOf,
  type PluginRegistry,
  resolvePlugins,
  type ResolvedPlugins,
} from "../../../plugin/registry.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { FolderInUseError, UncleanWorkTreeError } from "../../command/errors.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import { inNewFolder } from "../../session/new-folder.ts";
import {
  loadProject,
  type ProjectSession,
  withProjectSession,
  pluginsToReplay,
} from "../../session/project-session.ts";

/** The project to make again, and where. */
export interface AlphaGenerateOptions {
  /** The folder of the project. */
  readonly input: string;
  /** The folder to write to. */
  readonly output: string;
  /** Whether uncommitted changes, and files of the other folder, are overwritten. */
  readonly force: boolean;
  /** Whether the manifests are regenerated. */
  readonly makesManifests: boolean;
}

/** Makes a project again from its PROJECT file, in place or into another folder. */
export function runAlphaGenerate(options: AlphaGenerateOptions, invocation: Invocation): Promise<number> {
  const { input, output, force, makesManifests } = options;
  const isInPlace = output === input;
  return inFolder(invocation, output, () =>
    withProjectSession({ ...invocation, cwd: output }, { isDryRun: invocation.isDryRun }, async (session) => {
      const source = isInPlace ? session : { ...session, root: input, tree: new FileTree(createDiskReader(input)) };
      const { notes, kept, regeneration } = await planProject(invocation, source, session);
      if (force) await confirmForced(invocation, session);
      else if (!isInPlace) refuseReplacing(session);
      else if (!invocation.isDryRun) await refuseUnclean(session);
      const unmade = makesManifests ? await makeManifests(invocation, session) : [];
      await planLate(regeneration, session);
      const actions = session.tree.actions();
      if (!invocation.isDryRun) await session.commit(actions);
      const isSame = isInPlace && actions.length === 0;
      reportOutcome(invocation, {
        actions,
        skipped: makesManifests ? [] : kept,
        notes: [...(isSame ? ["The project already matches its PROJECT file."] : []), ...notes, ...unmade],
        next: isInPlace ? [] : [`cd ${path.relative(invocation.cwd, output) || "."} && npm install`],
      });
      return 0;
    }),
  );
}

async function inFolder(invocation: Invocation, folder: string, work: () => Promise<number>): Promise<number> {
  return existsSync(folder) || invocation.isDryRun ? work() : inNewFolder(folder, work);
}

interface PlannedProject {
  readonly notes: readonly string[];
  readonly kept: readonly string[];
  readonly regeneration: Regeneration;
}

// Its rules are collected from sources, which a run without generators does not read.
const ROLE = "config/rbac/role.yaml";

async function planProject(
  invocation: Invocation,
  source: ProjectSession,
  { root, tree }: ProjectSession,
): Promise<PlannedProject> {
  const { project: previous, document } = loadProject(source);
  const project = { ...previous, cliVersion: invocation.program.version };
  const plugins = await pluginsToReplay(invocation, project);
  const { added, notes } = addedPlugins(await invocation.program.registry(), project, plugins);
  const packages = packageSpecs({ packageRoot: invocation.program.packageRoot, projectRoot: root });
  const regeneration = { project, plugins, added, source: source.tree, packages };
  const files = await regenerate(regeneration);
  const kept = [ROLE].filter((file) => files.has(file) && tree.exists(file));
  planFiles(tree, files, kept);
  tree.create(PROJECT_FILE, document.print(project), { ifExists: "overwrite" });
  return { notes, kept, regeneration };
}

async function planLate(regeneration: Regeneration, { tree }: ProjectSession): Promise<void> {
  const { files, deleted } = await regenerateLate(regeneration, tree);
  planFiles(tree, files, []);
  for (const file of deleted) tree.delete(file);
}

function planFiles(tree: FileTree, files: ReadonlyMap<string, RegeneratedFile>, kept: readonly string[]): void {
  for (const [file, { content, isExecutable }] of files)
    if (!kept.includes(file)) tree.create(file, content, { ifExists: "overwrite", isExecutable });
}

function addedPlugins(
  registry: PluginRegistry,
  { plugins: stored = {} }: ProjectConfig,
  { keys }: ResolvedPlugins,
): { readonly added: readonly Plugin[]; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const added = Object.keys(stored).flatMap((key) => {
    try {
      // A bundle may be for the plugin whose data it is.
      return resolvePlugins(registry, [key]).plugins.filter((each) => configurationKeyOf(each.key, keys) === key);
    } catch (error) {
      if (!(error instanceof UnknownPluginError)) throw error;
      notes.push(`PROJECT has data of ${key}, which is unknown to this version: the plugin's files are not changed.`);
      return [];
    }
  });
  return { added: [...new Set(added)], notes };
}

// What git has can be got back; anything else that would be written over cannot.
async function refuseUnclean({ root, tree }: ProjectSession): Promise<void> {
  const status = await runGit(root, ["status", "--porcelain", "--untracked-files=all", "--", ".", ":!.kubescaffold"]);
  const replaced = tree.actions().filter((action) => action.kind === "overwrite" && action.path !== PROJECT_FILE);
  if (status.kind === "failed" && replaced.length > 0)
    throw new UncleanWorkTreeError({ kind: "no git", reason: status.reason });
  if (status.kind === "done" && status.output !== "") {
    throw new UncleanWorkTreeError({ kind: "changes", lines: status.output.trimEnd().split("\n") });
  }
}

function refuseReplacing({ tree }: ProjectSession): void {
  const replaced = tree.actions().find((action) => action.kind === "overwrite");
  if (replaced !== undefined) throw new FolderInUseError(replaced.path);
}

// What git has needs no question: it can be got back.
async function confirmForced(invocation: Invocation, { tree }: ProjectSession): Promise<void> {
  const paths = tree.replaced().filter((file) => file !== PROJECT_FILE);
  await confirmReplacing(invocation, { actions: tree.actions(), paths, verb: "Replace" });
}
