import path from "node:path";

import { outputSteps } from "../../../changes/next-steps.ts";
import { type MovedPart, planMove } from "../../../changes/plan-move.ts";
import { partsOf, replayParts } from "../../../changes/replay.ts";
import { liftVersionMarks, restoreVersionMarks } from "../../../changes/storage-version.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import { learnWords, renameWords, type TextPair, type WordMap } from "../../../machinery/rename-words.ts";
import type { Contributions } from "../../../plugin/contributions.ts";
import { type PlannedRename, planRename, type RenameRequest } from "../../../project/plans/plan-rename.ts";
import { PROJECT_FILE, type ProjectConfig, type ProjectResource } from "../../../project/project-config.ts";
import { namesOf, type ResourceNames } from "../../../project/resource-names.ts";
import { webhookNamesOf } from "../../../project/webhook-names.ts";
import type { Invocation } from "../../command/command.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome } from "../../output/report-outcome.ts";
import { loadProject, withProjectSession, pluginsToReplay } from "../../session/project-session.ts";

/** The new names, and what follows them. */
export interface RenameApiOptions {
  readonly request: RenameRequest;
  /** Whether the manifests are regenerated. */
  readonly makesManifests: boolean;
}

/** Gives kinds of the project in the working folder another name, group or version. */
export function runRenameApi({ request, makesManifests }: RenameApiOptions, invocation: Invocation): Promise<number> {
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const { tree } = session;
    const rename = { ...planRename(previous, request), previous };
    const moved = await movedParts(invocation, tree, rename);
    const parts = moved.filter(({ isRenamed }) => isRenamed);
    const { rewriteImports } = await import("../../../machinery/typescript-imports.ts");
    // With the marks, the types would count as changed by hand.
    const lifted = await liftVersionMarks(tree, previous, [...rename.renamed.keys()]);
    const notes = planMove({ tree, parts: moved, rewriteImports, adapt: adaptTo(rename, parts) });
    const marked = lifted.flatMap(({ resource, marker }) => {
      const renamed = rename.renamed.get(resource);
      return renamed === undefined ? [] : [{ resource: renamed, marker }];
    });
    await restoreVersionMarks(tree, rename.project, marked);
    tree.update(PROJECT_FILE, () => document.print(rename.project));
    forgetCrds(tree, rename);
    const unmade = makesManifests ? await makeManifests(invocation, session) : [];
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    const next = await outputSteps(invocation, { project: rename.project, tree });
    reportOutcome(invocation, { actions, notes: [...new Set([...notes, ...unmade])], next });
    return 0;
  });
}

interface Rename extends PlannedRename {
  readonly previous: ProjectConfig;
}

interface RenamedPart extends MovedPart {
  /** Parts that keep their names still hold on to the files that they share with others. */
  readonly isRenamed: boolean;
}

async function movedParts(invocation: Invocation, tree: FileTree, rename: Rename): Promise<readonly RenamedPart[]> {
  const { project, previous, renamed } = rename;
  const { plugins, keys } = await pluginsToReplay(invocation, previous);
  const replay = { plugins, chain: keys, tree };
  const after = partsOf(project);
  const pairs = partsOf(previous).flatMap((part, index) => {
    const next = after[index];
    return part.kind === "init" || next === undefined ? [] : [[part, next] as const];
  });
  return Promise.all(
    pairs.map(async ([part, next]) => {
      const before = await replayParts([part], { ...replay, project: previous });
      const isRenamed = renamed.has(part.resource);
      if (!isRenamed) return { before, after: before, isRenamed };
      const made = await replayParts([next], { ...replay, project });
      return { before, after: aligned(before, made, renamedPaths(rename, part.resource)), isRenamed };
    }),
  );
}

// Files are listed by their names, which change: those of other names correspond to each other in their order, unless their new names are known.
function aligned(before: Contributions, after: Contributions, renamePath: (file: string) => string): Contributions {
  const known = new Map(
    [...before.files.keys()].flatMap((file) => {
      const next = [file, renamePath(file)].toReversed().find((each) => after.files.has(each));
      return next === undefined ? [] : [[file, next] as const];
    }),
  );
  const taken = new Set(known.values());
  const left = [...after.files.keys()].filter((file) => !taken.has(file));
  const files = [...before.files.keys()].map((file) => known.get(file) ?? left.shift() ?? file);
  return { ...after, files: new Map(files.map((file) => [file, after.files.get(file) ?? ""])) };
}

// What was changed by hand gets the names that differ between what the scaffolds made and what they make now.
function adaptTo(rename: Rename, parts: readonly MovedPart[]): (text: string, file: string) => string {
  const words = withoutLoose(learnWords(textPairs(parts), knownWords(rename)), rename);
  const own = new Set(parts.flatMap(({ after }) => [...after.files.keys()]));
  const folders = new Set([...own].filter((file) => file.startsWith("api/")).map((file) => path.posix.dirname(file)));
  const kinds = new Set([...rename.renamed.keys()].map(({ kind }) => kind));
  const isShared = (rename.previous.resources ?? []).some((each) => kinds.has(each.kind) && !rename.renamed.has(each));
  const old = new Set(parts.flatMap(({ before }) => [...before.files.keys()]));
  const renamed = [...own].filter((file) => !old.has(file)).map((file) => `/${path.posix.basename(file)}"`);
  const importsOwn = (text: string): boolean => renamed.some((end) => text.replaceAll("'", '"').includes(end));
  return (text, file) => {
    const isGenerated = path.posix.basename(file).startsWith("zz_generated.") && folders.has(path.posix.dirname(file));
    // Lists of all kinds are changed line by line, and another kind of the name elsewhere keeps it.
    if (file.endsWith("kustomization.yaml")) return text;
    if (!own.has(file) && !isGenerated && (isShared || !importsOwn(text))) return text;
    if (!own.has(file) && !isGenerated) return renameWords(file, text, words.elsewhere);
    return renameGroups(renameWords(file, renameWebhooks(text, rename), words.own), rename);
  };
}

// Groups and versions are words of everybody: they are renamed only where the scaffolds of these kinds have them, between the same characters.
function withoutLoose(words: WordMap, { renamed }: Rename): { readonly own: WordMap; readonly elsewhere: WordMap } {
  const loose = new Set(
    [...renamed.keys()].flatMap(({ group = "", version }) => [...group.split(/[^\w$]+/u), version]),
  );
  const isLoose = (key: string): boolean => loose.has(key.replaceAll(/[^\w$]/gu, ""));
  const filtered = (isKept: (key: string) => boolean): WordMap => ({
    code: new Map([...words.code].filter(([key]) => isKept(key))),
    text: new Map([...words.text].filter(([key]) => isKept(key))),
  });
  return {
    own: filtered((key) => !isLoose(key) || (!loose.has(key) && !/^\/|\/$/u.test(key))),
    elsewhere: filtered((key) => !isLoose(key)),
  };
}

function textPairs(parts: readonly MovedPart[]): readonly TextPair[] {
  return parts.flatMap(({ before, after }) => {
    const files = [...after.files];
    return [
      ...[...before.files].map(([file, text], index) => ({
        path: file,
        before: text,
        after: files[index]?.[1] ?? text,
      })),
      ...before.fragments.map(({ path: file, lines }, index) => ({
        path: file,
        before: lines.join("\n"),
        after: (after.fragments[index]?.lines ?? lines).join("\n"),
      })),
    ].map((pair) => ({ ...pair, before: alike(pair.before), after: alike(pair.after) }));
  });
}

function alike(text: string): string {
  return withUsualNames(withoutPlural(text));
}

// A plural is only named where it is irregular: then the texts would not match word by word.
function withoutPlural(text: string): string {
  return text.replaceAll(/^.*\+kubebuilder:resource:.*\n/gmu, "");
}

// The names of some webhooks have the group in them.
function withUsualNames(text: string): string {
  return text.replaceAll(/\.(?<=,name=[a-z\d]+-v\w+\.)[^,\s]+(?=\.kb\.io,)/gu, "");
}

function knownWords({ previous, project, renamed }: Rename): WordMap {
  const code = new Map<string, string>();
  const text = new Map<string, string>();
  for (const [before, after] of renamed) {
    const [old, next] = [namesOf(previous, before), namesOf(project, after)];
    for (const end of ["", "List", "Spec", "Status", "Schema", "SpecSchema", "StatusSchema"])
      code.set(old.kind + end, next.kind + end);
    for (const end of ["Apply", "SpecApply", "StatusApply"]) code.set(old.kind + end, next.kind + end);
    code.set(`extract${old.kind}`, `extract${next.kind}`);
    code.set(`${old.kindVariable}Apply`, `${next.kindVariable}Apply`);
    code.set(old.kindVariable, next.kindVariable);
    text.set(old.kind, next.kind);
    text.set(old.kindLower, next.kindLower);
    text.set(old.plural, next.plural);
  }
  return { code, text };
}

function forgetCrds(tree: FileTree, { previous, project, renamed }: Rename): void {
  const stays = new Set((project.resources ?? []).map((each: ProjectResource) => namesOf(project, each).crdBase));
  for (const before of renamed.keys()) {
    const { crdBase } = namesOf(previous, before);
    const file = `config/crd/bases/${crdBase}`;
    if (!stays.has(crdBase) && tree.exists(file)) tree.delete(file);
  }
}

function renameWebhooks(text: string, { renamed }: Rename): string {
  const pairs = [...renamed].flatMap(([before, after]) => {
    const [old, next] = [webhookNamesOf(before), webhookNamesOf(after)];
    return [[old.defaulting, next.defaulting] as const, [old.validation, next.validation] as const];
  });
  return pairs.reduce((result, [old, next]) => result.replaceAll(whole(old), () => next), text);
}

// Groups have dots and dashes: they are no words, and stand whole in markers and manifests, and with dashes in the paths of webhooks.
function renameGroups(text: string, { previous, project, renamed }: Rename): string {
  const pairs = new Map(
    [...renamed].flatMap(([before, after]) => {
      const [old, next] = [namesOf(previous, before).qualifiedGroup, namesOf(project, after).qualifiedGroup];
      return [[old, next] as const, [dashed(old), dashed(next)] as const];
    }),
  );
  return [...pairs]
    .filter(([old, next]) => old !== "" && old !== next)
    .reduce((result, [old, next]) => result.replaceAll(whole(old), () => next), text);
}

function dashed(group: string): string {
  return group.replaceAll(".", "-");
}

function whole(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w.])${name.replaceAll(/[^\w-]/gu, String.raw`\$&`)}(?![\w.]|-[a-z]+\.)`, "gu");
}

/** A project, and what it becomes with other names. */
interface Renaming extends PlannedRename {
  readonly previous: ProjectConfig;
}

/** Returns what gives files of a resource their new paths; those of a hub are in folders of its spokes too. */
function renamedPaths({ previous, project, renamed }: Renaming, resource: ProjectResource): (file: string) => string {
  const pairs = [...renamed]
    .filter(([before]) => before.kind === resource.kind && before.group === resource.group)
    .map(([before, after]) => [namesOf(previous, before), namesOf(project, after)] as const);
  return (file) => {
    const folder = path.posix.dirname(file);
    const name = path.posix.basename(file);
    const own = pairs.find(([old]) => old.version === resource.version) ?? pairs[0];
    if (own === undefined) return file;
    const folders = pairs.flatMap(([old, next]) => [
      [old.apiFolder, next.apiFolder] as const,
      [old.webhookFolder, next.webhookFolder] as const,
      [old.controllerFolder, next.controllerFolder] as const,
    ]);
    const moved = folders.find(([old]) => old === folder)?.[1] ?? folder;
    return `${moved}/${renamedName(name, own, pairs)}`;
  };
}

type NamePair = readonly [old: ResourceNames, next: ResourceNames];

function renamedName(name: string, [old, next]: NamePair, pairs: readonly NamePair[]): string {
  if (name === old.sampleName) return next.sampleName;
  if (name === `webhook_in_${old.groupPrefix}${old.plural}.yaml`)
    return `webhook_in_${next.groupPrefix}${next.plural}.yaml`;
  const spoke = pairs.find(([each]) => name === `${each.kindLower}_${each.version}_conversion.test.ts`)?.[1];
  if (spoke !== undefined) return `${spoke.kindLower}_${spoke.version}_conversion.test.ts`;
  for (const [start, end] of [
    [`${old.groupPrefix}${old.kindLower}_`, `${next.groupPrefix}${next.kindLower}_`],
    [`${old.kindLower}_`, `${next.kindLower}_`],
  ] as const)
    if (name.startsWith(start)) return end + name.slice(start.length);
  return name;
}
