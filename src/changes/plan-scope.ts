import { ScaffoldError } from "@kubescaffold/k8s";

import type { FileTree } from "../machinery/file-tree.ts";
import { mergeTexts } from "../machinery/merge-texts.ts";
import { textDiff } from "../machinery/text-diff.ts";
import type { ResolvedPlugins } from "../plugin/registry.ts";
import type { ProjectConfig } from "../project/project-config.ts";
import { regenerate } from "./regenerate.ts";
import { type Scope, scopeManager, scopeMarkers } from "./scope-texts.ts";

/** A project as it was scoped, and as it is to be. */
export interface ScopeRequest {
  readonly tree: FileTree;
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  readonly plugins: ResolvedPlugins;
  /** Files that cannot be changed line by line are written anew. */
  readonly force: boolean;
}

/** What is left to do by hand, and the files that were written anew. */
export interface ScopeResult {
  readonly notes: readonly string[];
  readonly replaced: readonly string[];
}

/**
 * Plans in the tree to make of a project what it would be if its manager had been scoped so from the start, and returns what is left to do by hand.
 *
 * Guarantees: what was not changed by hand becomes what the scaffolds write now; of what was, only the lines of the setting change.
 * Fails: {@link UnmergedFilesError} with the lines that belong into files that were changed just there.
 */
export async function planScope(request: ScopeRequest): Promise<ScopeResult> {
  const { tree, project } = request;
  const scope = { namespace: `${project.projectName ?? ""}-system`, isNamespaced: project.namespaced === true };
  const changes = await changedFiles(request);
  const refused = changes.filter((change) => !applyChange(tree, change, scope));
  if (refused.length > 0 && !request.force) throw new UnmergedFilesError(refused.map(diffOf));
  for (const { path, after } of refused) tree.create(path, after, { ifExists: "overwrite" });
  const notes = scopeOthers(tree, new Set(changes.map(({ path }) => path)), scope);
  return { notes, replaced: refused.map(({ path }) => path) };
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

async function changedFiles({ tree, previous, project, plugins }: ScopeRequest): Promise<readonly Change[]> {
  const made = { plugins, added: [], source: tree, packages: {} };
  const [before, after] = [await regenerate({ ...made, project: previous }), await regenerate({ ...made, project })];
  return [...before].flatMap(([path, { content }]) => {
    const next = after.get(path)?.content ?? content;
    return next === content || !tree.exists(path) ? [] : [{ path, before: content, after: next }];
  });
}

const ROLE = "config/rbac/role.yaml";
const MANAGER = "config/manager/manager.yaml";

// Says whether the change could be made.
function applyChange(tree: FileTree, { path, before, after }: Change, scope: Scope): boolean {
  const present = tree.readExisting(path);
  const next = present === before ? after : changedText({ path, before, after, present }, scope);
  if (next !== undefined && next !== present) tree.update(path, () => next);
  return next !== undefined;
}

function changedText(
  { path, before, after, present }: Change & { readonly present: string },
  scope: Scope,
): string | undefined {
  // The generators write it anew.
  if (path === ROLE) return present;
  if (path === MANAGER) return scopeManager(present, scope);
  // What else a person has granted is scoped too.
  if (scopeMarkers(before, scope).text === after) return scopeMarkers(present, scope).text;
  return mergeTexts({ base: before, left: present, right: after });
}

function diffOf({ path, before, after }: Change): string {
  return textDiff({ path, before, after });
}

// Sources of the user's grant permissions too.
function scopeOthers(tree: FileTree, done: ReadonlySet<string>, scope: Scope): readonly string[] {
  const left: string[] = [];
  for (const path of tree.files().filter((each) => each.endsWith(".ts"))) {
    const present = tree.readExisting(path);
    const scoped = scopeMarkers(present, scope);
    left.push(...scoped.left.map((args) => `  ${path}: ${args}`));
    if (!done.has(path) && scoped.text !== present) tree.update(path, () => scoped.text);
  }
  return left.length === 0
    ? []
    : [
        `These permissions are for what no namespace holds: they stay in a ClusterRole, which needs a ClusterRoleBinding.\n${left.join("\n")}`,
      ];
}

/** Is thrown when a setting changes lines of files that were changed just there; shows what the setting changes in them. */
class UnmergedFilesError extends ScaffoldError {
  readonly code = "CLI_UNMERGED_FILES";
  constructor(diffs: readonly string[]) {
    super(`cannot change the setting in files that were changed where it belongs:\n${diffs.join("\n")}`, {
      hint: "change these lines by hand as shown and run the command again, or pass --force to write the files anew; nothing was written",
    });
  }
}
