import { builtInResources } from "@kubescaffold/k8s/tables";

import type { FileTree } from "../machinery/file-tree.ts";
import { enableBlock } from "../machinery/insertion-points.ts";
import { mergeTexts } from "../machinery/merge-texts.ts";
import {
  type FileChange,
  settingChanges,
  type SettingRequest,
  type SettingResult,
  UnmergedFilesError,
} from "./setting-changes.ts";

/**
 * Plans in the tree to make of a project what it would be if its manager had been scoped so from the start, and returns what is left to do by hand.
 *
 * Guarantees: what was not changed by hand becomes what the scaffolds write now; of what was, only the lines of the setting change.
 * Fails: {@link UnmergedFilesError} with the lines that belong into files that were changed just there.
 */
export async function planScope(request: SettingRequest): Promise<SettingResult> {
  const { tree, project } = request;
  const scope = { namespace: `${project.projectName ?? ""}-system`, isNamespaced: project.namespaced === true };
  const changes = (await settingChanges(request)).changed.filter(({ path }) => tree.exists(path));
  const refused = changes.filter((change) => !applyChange(tree, change, scope));
  if (refused.length > 0 && !request.force) throw new UnmergedFilesError(refused);
  for (const { path, after } of refused) tree.create(path, after, { ifExists: "overwrite" });
  const notes = scopeOthers(tree, new Set(changes.map(({ path }) => path)), scope);
  return { notes, replaced: refused.map(({ path }) => path) };
}

const ROLE = "config/rbac/role.yaml";
const MANAGER = "config/manager/manager.yaml";

// Reports whether the change could be made.
function applyChange(tree: FileTree, { path, before, after }: FileChange, scope: Scope): boolean {
  const present = tree.readExisting(path);
  const next = present === before ? after : changedText({ path, before, after, present }, scope);
  if (next !== undefined && next !== present) tree.update(path, () => next);
  return next !== undefined;
}

function changedText(
  { path, before, after, present }: FileChange & { readonly present: string },
  scope: Scope,
): string | undefined {
  // The generators overwrite it.
  if (path === ROLE) return present;
  if (path === MANAGER) return scopeManager(present, scope);
  // What else a person has granted is scoped too.
  if (scopeMarkers(before, scope).text === after) return scopeMarkers(present, scope).text;
  return mergeTexts(before, present, after);
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
        `These permissions are for cluster-scoped resources: they stay in a ClusterRole, which needs a ClusterRoleBinding.\n${left.join("\n")}`,
      ];
}

/** How a text is to be scoped: to the namespace, or to the cluster again. */
interface Scope {
  readonly namespace: string;
  readonly isNamespaced: boolean;
}

/** A text with its RBAC markers scoped, and those that grant what no namespace holds. */
interface ScopedText {
  readonly text: string;
  readonly left: readonly string[];
}

/**
 * Gives the RBAC markers of a source a namespace, or takes that namespace from them.
 *
 * Guarantees: markers that name their own namespace, or addresses, stay as they are; so do those of resources that only a cluster has.
 */
export function scopeMarkers(text: string, { namespace, isNamespaced }: Scope): ScopedText {
  const left: string[] = [];
  const scoped = text.replaceAll(
    /^(?<start>.*\+kubebuilder:rbac:)(?<args>.*)$/gmu,
    (line, start: string, args: string) => {
      if (!isNamespaced) return start + withoutNamespace(args, namespace);
      if (/(?:^|,)(?:namespace|urls)=/u.test(args)) return line;
      if (!isOfCluster(args)) return start + withNamespace(args, namespace);
      left.push(args.trim());
      return line;
    },
  );
  return { text: scoped, left };
}

function withNamespace(args: string, namespace: string): string {
  const groups = /(?:^|,)groups=(?:"[^"]*"|[^,\r]*)/u.exec(args);
  const end = groups === null ? -1 : groups.index + groups[0].length;
  if (end < 0) return `namespace=${namespace},${args}`;
  return `${args.slice(0, end)},namespace=${namespace}${args.slice(end)}`;
}

function withoutNamespace(args: string, namespace: string): string {
  const entry = `namespace=${namespace}`;
  const parts = args.split(",");
  const ends = args.slice(args.trimEnd().length);
  const kept = parts.filter((part) => part.trim() !== entry);
  return kept.length === parts.length ? args : kept.join(",").trimEnd() + ends;
}

// Of groups that Kubernetes has itself it is known which resources are in no namespace.
function isOfCluster(args: string): boolean {
  const [groups, resources] = [listIn(args, "groups"), listIn(args, "resources")];
  const known = builtInResources.filter(({ group }) => groups.includes(group));
  const found = resources.map((name) => known.find(({ plural }) => plural === name.split("/")[0]));
  return found.length > 0 && found.every((each) => each !== undefined && !each.namespaced);
}

function listIn(args: string, name: string): readonly string[] {
  const value =
    new RegExp(`(?:^|,)${name}=(?<value>"[^"]*"|\\{[^}]*\\}|[^,\\r]*)`, "u").exec(args)?.groups?.["value"] ?? "";
  return value
    .split(/[;,]/u)
    .map((part) => part.replaceAll(/["{}\s]/gu, ""))
    .map((part) => (name === "groups" && part === "core" ? "" : part));
}

const ENTRY = ["- name: WATCH_NAMESPACE", "  valueFrom:", "    fieldRef:", "      fieldPath: metadata.namespace"];

/**
 * Tells the manager of a manifest which namespace to watch, or no longer does; returns nothing when the manifest has no place for it, or says it in
 * its own words.
 *
 * Guarantees: variables of others stay.
 */
export function scopeManager(text: string, { isNamespaced }: Pick<Scope, "isNamespaced">): string | undefined {
  const lines = text.split(/\r?\n/u);
  const scoped = isNamespaced ? withVariable(lines) : withoutVariable(lines);
  return scoped?.join(text.includes("\r\n") ? "\r\n" : "\n");
}

function withVariable(lines: readonly string[]): readonly string[] | undefined {
  if (lines.some((line) => line.trim() === ENTRY[0])) return lines;
  const open = lines.filter((line) => OPEN_LIST.test(line)).length;
  if (open > 1 || (open === 0 && !lines.some((line) => /^\s*#\s*env:\s*$/u.test(line)))) return undefined;
  const enabled = enableBlock(lines.join("\n"), { path: MANAGER, lines: ["        env:"] }).split("\n");
  const at = enabled.findIndex((line) => OPEN_LIST.test(line)) + 1;
  const key = indentOf(enabled[at - 1] ?? "");
  const first = enabled.slice(at).find((line) => !/^\s*(?:#|$)/u.test(line)) ?? "";
  const indent = /^\s*-\s/u.test(first) && indentOf(first).length >= key.length ? indentOf(first) : key;
  return enabled.toSpliced(at, 0, ...ENTRY.map((each) => indent + each));
}

const OPEN_LIST = /^\s+env:\s*$/u;

function indentOf(line: string): string {
  return /^\s*/u.exec(line)?.[0] ?? "";
}

function withoutVariable(lines: readonly string[]): readonly string[] | undefined {
  const at = lines.findIndex((line) => line.trim() === ENTRY[0]);
  if (at < 0) return lines;
  const isWhole = ENTRY.every((each, offset) => lines[at + offset]?.trim() === each.trim());
  if (!isWhole) return undefined;
  const left = lines.toSpliced(at, ENTRY.length);
  const key = left[at - 1] ?? "";
  const isEmpty = /^\s+env:\s*$/u.test(key) && !/^\s*-/u.test(left[at] ?? "");
  return isEmpty ? left.toSpliced(at - 1, 1, `#${key}`) : left;
}
