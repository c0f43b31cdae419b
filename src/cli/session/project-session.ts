import path from "node:path";

import { commitActions } from "../../machinery/commit/commit.ts";
import { recoverJournal } from "../../machinery/commit/journal.ts";
import { waitForLock } from "../../machinery/commit/project-lock.ts";
import { requireReadable } from "../../machinery/commit/project-paths.ts";
import { createDiskReader, pathKindSync, realDisk, unsyncedDisk } from "../../machinery/disk.ts";
import { NotARegularFileError } from "../../machinery/errors.ts";
import { type FileAction, FileTree } from "../../machinery/file-tree.ts";
import { requireSyntax } from "../../machinery/syntax/check-syntax.ts";
import { UnsupportedSubcommandError } from "../../plugin/errors.ts";
import type { PluginCommand } from "../../plugin/flag.ts";
import type { Plugin, Scaffold } from "../../plugin/plugin.ts";
import {
  configurationKeyOf,
  type PluginRegistry,
  resolvePlugins,
  type ResolvedPlugins,
} from "../../plugin/registry.ts";
import { BOILERPLATE_FILE } from "../../project/boilerplate-file.ts";
import { ProjectNotFoundError } from "../../project/errors.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../project/project-config.ts";
import { ProjectDocument } from "../../project/project-file.ts";
import type { Invocation } from "../command/command.ts";
import { noteInterruption, reportRecovery } from "./interrupted-commands.ts";

/** The project a command works in, for as long as it holds the lock. */
export interface ProjectSession {
  readonly root: string;
  readonly tree: FileTree;
  /**
   * Writes changes, all or none, and makes a new tree unnecessary: nothing is read after it.
   *
   * Guarantees: files whose syntax the program knows parse, or nothing is written.
   */
  readonly commit: (actions: readonly FileAction[]) => Promise<void>;
}

/**
 * Runs a command's work in a project: waits for the lock and takes it, deals with what an interrupted command left, and releases the lock at the end.
 *
 * A dry run takes no lock, and leaves what an interrupted command left: it reports it, unless the command does that by itself.
 */
export async function withProjectSession<T>(
  invocation: Invocation,
  options: { readonly isDryRun: boolean; readonly reportsInterruption?: boolean },
  work: (session: ProjectSession) => Promise<T>,
): Promise<T> {
  const root = invocation.cwd;
  if (options.isDryRun) {
    if (options.reportsInterruption !== true) await noteInterruption(invocation, root);
    return work(sessionFor(invocation, root));
  }
  const lock = await waitForLock({ root, command: invocation.typed, terminal: invocation.terminal });
  try {
    const recovery = await recoverJournal(realDisk, { root });
    if (recovery !== undefined) reportRecovery(invocation, recovery);
    return await work(sessionFor(invocation, root));
  } finally {
    await lock.release();
  }
}

/** Reads PROJECT of a session. Fails: `ProjectNotFoundError`, `ProjectInvalidError`, `NotARegularFileError`, `SymbolicLinkError`. */
export function loadProject({ root, tree }: Pick<ProjectSession, "root" | "tree">): {
  readonly project: ProjectConfig;
  /** PROJECT as it is, which changes are printed into. */
  readonly document: ProjectDocument;
} {
  const document = ProjectDocument.parse(readProjectText({ root, tree }));
  return { project: document.requireProject(), document };
}

/** Reads PROJECT of a session, names that are refused included. Fails: as {@link loadProject}, but for names. */
export function inspectProject(session: Pick<ProjectSession, "root" | "tree">): ProjectDocument {
  return ProjectDocument.parse(readProjectText(session));
}

/** The files that every project has from the start. */
export const PROJECT_TRACES: readonly string[] = ["cmd/main.ts", "config/default/kustomization.yaml"];

function readProjectText({ root, tree }: Pick<ProjectSession, "root" | "tree">): string {
  const kind = pathKindSync(path.join(root, PROJECT_FILE));
  if (kind === "absent")
    throw new ProjectNotFoundError(root, { hasFiles: PROJECT_TRACES.every((file) => tree.exists(file)) });
  if (kind === "folder" || kind === "other")
    throw new NotARegularFileError(PROJECT_FILE, kind === "folder" ? "a folder" : "not a regular file");
  // Both end in what commands write and print; a link may lead to what must not.
  for (const file of [PROJECT_FILE, BOILERPLATE_FILE]) requireReadable(root, file);
  return tree.readExisting(PROJECT_FILE);
}

/** Returns PROJECT of the working folder, for a command that changes no source of the project. Fails: as {@link loadProject}. */
export async function readProject(invocation: Invocation): Promise<ProjectConfig> {
  return await withProjectSession(invocation, { isDryRun: true }, async (session) => loadProject(session).project);
}

function sessionFor(invocation: Invocation, root: string): ProjectSession {
  return {
    root,
    tree: new FileTree(createDiskReader(root)),
    commit: async (actions) => {
      const check = async (): Promise<void> => await requireSyntax(actions);
      await commitActions({ root, command: invocation.typed, actions, last: PROJECT_FILE, check });
    },
  };
}

/**
 * Writes generated files outside of a longer session: takes the lock only when something differs.
 *
 * Folders outside of the root are written to when the user named them.
 */
export async function commitGenerated(
  invocation: Invocation,
  root: string,
  actions: readonly FileAction[],
): Promise<void> {
  if (actions.length === 0) return;
  const check = async (): Promise<void> => await requireSyntax(actions);
  const lock = await waitForLock({ root, command: invocation.typed, terminal: invocation.terminal });
  try {
    await commitActions({ root, command: invocation.typed, actions, allowsOutside: true, check, disk: unsyncedDisk });
  } finally {
    await lock.release();
  }
}

/** What plugins take part in, with their part of it. */
interface ScaffoldRun<Options> {
  readonly invocation: Pick<Invocation, "pluginFlags">;
  readonly session: ProjectSession;
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  readonly command: PluginCommand | "create kubectl-plugin";
  readonly scaffoldOf: (plugin: Plugin) => Scaffold<Options> | undefined;
  readonly options: Options;
}

/** What the plugins have to say, and the project with the data that they store in it. */
interface Scaffolded {
  readonly notes: readonly string[];
  readonly project: ProjectConfig;
}

/** Lets the plugins plan in the tree of the session, one after the other. Fails: `UnsupportedSubcommandError` when none takes part. */
export async function runScaffolds<Options>(run: ScaffoldRun<Options>): Promise<Scaffolded> {
  const notes: string[] = [];
  const taking = run.plugins.plugins.filter((plugin) => run.scaffoldOf(plugin) !== undefined);
  if (taking.length === 0) throw new UnsupportedSubcommandError(run.command, run.plugins.keys);
  // Most commands run no scaffolds.
  const [{ renderTemplate }, { createScaffoldContext }] = await Promise.all([
    import("../../machinery/template.ts"),
    import("../../plugin/scaffold-context.ts"),
  ]);
  let project = run.project;
  for (const plugin of taking) {
    const key = configurationKeyOf(plugin.key, run.plugins.keys);
    const context = createScaffoldContext({
      tree: run.session.tree,
      project,
      templates: plugin.templates,
      render: renderTemplate,
      note: (message) => void notes.push(message),
      flags: run.invocation.pluginFlags,
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
export async function pluginsFor(
  { program, pluginKeys }: Pick<Invocation, "program" | "pluginKeys">,
  project?: ProjectConfig,
): Promise<ResolvedPlugins> {
  const registry: PluginRegistry = await program.registry();
  const recorded = project?.layout ?? [];
  const keys = pluginKeys.length > 0 ? pluginKeys : recorded.length > 0 ? recorded : [registry.defaultKey];
  return resolvePlugins(registry, keys);
}
