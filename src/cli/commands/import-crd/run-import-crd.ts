import { existsSync } from "node:fs";
import path from "node:path";

import {
  type CrdFacts,
  importCrds,
  type ImportResult,
  NoCrdError,
  readCrds,
  type Verification,
  verifyImport,
} from "@kubescaffold/generators/importer";
import { structSchema } from "@kubescaffold/k8s/tables";

import { breakConstants } from "../../../machinery/break-lines.ts";
import type { FileAction, FileTree } from "../../../machinery/file-tree.ts";
import { textDiff } from "../../../machinery/text-diff.ts";
import { BOILERPLATE_FILE, headerOf } from "../../../project/boilerplate-file.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import type { Invocation } from "../../command/command.ts";
import { InputError, InvalidFlagError } from "../../command/errors.ts";
import { headerComment } from "../../flags/boilerplate.ts";
import { requireValidDefinitions } from "../../generating/check-definitions.ts";
import { type ManifestText, readManifests } from "../../generating/read-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import { loadProject, type ProjectSession, withProjectSession } from "../../session/project-session.ts";
import { foldersBelow, foldersInProject, type ImportFolders, requireOwnFolders } from "./import-folders.ts";

/** How types are written for CustomResourceDefinitions. */
export interface ImportCrdOptions {
  /** The folder for the types; the project's unless given. */
  readonly output: string | undefined;
  /** The only kinds to import; all if there are none. */
  readonly kinds: readonly string[];
  /** Whether the kinds are marked as external. */
  readonly isExternal: boolean;
  /** Whether types of Kubernetes replace equal ones, without the descriptions of these. */
  readonly losesTexts: boolean;
  /** Whether existing files are overwritten. */
  readonly force: boolean;
}

/** Writes types for the CustomResourceDefinitions that the words name. */
export async function runImportCrd(asked: ImportCrdOptions, invocation: Invocation): Promise<number> {
  const crds = await readInputs(invocation, asked.kinds);
  const place = placeOf(invocation.cwd, asked.output);
  const dry = invocation.isDryRun;
  return withProjectSession({ ...invocation, cwd: place.root }, { isDryRun: dry }, async (session) => {
    const folderOf = place.base === undefined ? projectFolders(session) : foldersBelow(place.base, crds);
    requireOwnFolders(folderOf, crds, session.tree);
    const options = { crds, folderOf, structSchema, ...writingOptions(asked, session, place) };
    const result = importCrds(options);
    planFiles(session.tree, result, asked.force);
    const replaced = session.tree.replaced();
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    const checked = importCrds({ ...options, isExternal: false });
    await confirmReplacing(invocation, { actions, paths: replaced, verb: "Replace" });
    const verification = await verifyImport(crds, checked.files, options.losesTexts);
    if (!dry) await session.commit(actions);
    const diffs = invocation.printsJson || dry ? [] : diffsOf(actions, replaced);
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped,
      notes: [
        ...(actions.length === 0 ? ["All files are up to date."] : []),
        ...diffs,
        ...result.notes,
        ...notesOf(result, verification),
      ],
      next: nextSteps({ isInProject: place.base === undefined, isExternal: options.isExternal }),
    });
    return 0;
  });
}

async function readInputs(invocation: Invocation, kinds: readonly string[]): Promise<readonly CrdFacts[]> {
  const { words } = invocation;
  if (words.length === 0) {
    throw new InputError("cannot import without an input", {
      hint: "specify files, folders, or URLs of manifests, or - for standard input",
    });
  }
  const inputs: { readonly word: string; readonly texts: readonly ManifestText[] }[] = [];
  for (const word of words) inputs.push({ word, texts: await readManifests(word, invocation) });
  requireValidDefinitions(
    inputs.flatMap(({ texts }) => texts),
    invocation,
  );
  const found = inputs.flatMap(({ word, texts }) => {
    const crds = texts.flatMap(({ source, documents }) => readCrds(documents, source));
    if (crds.length === 0) throw new NoCrdError(word === "-" ? "standard input" : word);
    return crds;
  });
  return chosen(found, kinds);
}

function chosen(crds: readonly CrdFacts[], kinds: readonly string[]): readonly CrdFacts[] {
  const known = new Set(crds.map(({ kind }) => kind));
  const missing = kinds.find((kind) => !known.has(kind));
  if (missing === undefined) return kinds.length === 0 ? crds : crds.filter(({ kind }) => kinds.includes(kind));
  throw new InvalidFlagError(`cannot import the kind ${missing}: the inputs do not contain it`, {
    hint: `their kinds are ${[...known].toSorted().join(", ")}`,
  });
}

/** Where files go: below `base` of the root, or where the project that has its root there wants them. */
interface Place {
  readonly root: string;
  readonly base: string | undefined;
}

function placeOf(cwd: string, target: string | undefined): Place {
  if (target === undefined) {
    if (existsSync(path.join(cwd, PROJECT_FILE))) return { root: cwd, base: undefined };
    throw new InvalidFlagError(`cannot determine the folder of the types: there is no ${PROJECT_FILE} file in ${cwd}`, {
      hint: "pass --output-dir, or run the command in the root folder of a project",
    });
  }
  const below = path.relative(cwd, target);
  const isInside = !below.startsWith("..") && !path.isAbsolute(below);
  const root = isInside ? cwd : nearestFolder(target);
  return { root, base: path.relative(root, target).split(path.sep).join("/") };
}

function nearestFolder(target: string): string {
  return existsSync(target) ? target : nearestFolder(path.dirname(target));
}

function projectFolders(session: ProjectSession): ImportFolders {
  return foldersInProject(loadProject(session).project, session.tree);
}

function writingOptions(
  { isExternal, losesTexts }: ImportCrdOptions,
  { tree }: ProjectSession,
  { base }: Place,
): { readonly isExternal: boolean; readonly losesTexts: boolean; readonly header: string } {
  return {
    isExternal,
    losesTexts,
    header: base === undefined ? headerOf(headerComment(tree.read(BOILERPLATE_FILE) ?? "")) : "",
  };
}

// The file that names group and version is kept when there is one: it says the same.
function planFiles(tree: FileTree, { files }: ImportResult, force: boolean): void {
  for (const { path: file, content: long, kind } of files) {
    const content = breakConstants(long);
    if (tree.read(file) === content) continue;
    tree.create(file, content, { ifExists: kind === "group" ? "skip" : force ? "overwrite" : "error" });
  }
}

function diffsOf(actions: readonly FileAction[], replaced: readonly string[]): readonly string[] {
  return actions.flatMap((action) =>
    action.kind === "overwrite" && replaced.includes(action.path)
      ? [textDiff({ path: action.path, before: action.previous, after: action.content })]
      : [],
  );
}

const MOST_LISTED = 10;

function notesOf({ overrides }: ImportResult, { verdicts, problems }: Verification): readonly string[] {
  const differing = verdicts.filter(({ differences, facts }) => differences.length > 0 || facts.length > 0);
  const same = `${verdicts.length - differing.length} of ${count(verdicts.length, "version")}`;
  const lines = differing.map(({ group, kind, version, differences, facts }) => {
    const places = [...facts, ...differences.map(({ path, keyword }) => [path, keyword].filter(Boolean).join(" "))];
    return `  ${kind}.${version}.${group}: ${places.slice(0, MOST_LISTED).join(", ")}`;
  });
  const raw =
    overrides.length === 0
      ? []
      : [`${count(overrides.length, "schema keyword")} can only be expressed with +kubescaffold:schema.`];
  const warnings = problems.slice(0, MOST_LISTED).map((problem) => `  ${problem}`);
  const verdict = `Generating from these types gives the same definition for ${same}.`;
  return [[verdict, ...lines, ...warnings].join("\n"), ...raw];
}

function count(number: number, what: string): string {
  return number === 1 ? `1 ${what}` : `${number} ${what}s`;
}

function nextSteps(options: { readonly isInProject: boolean; readonly isExternal: boolean }): readonly string[] {
  if (!options.isInProject) return ["npm install @kubescaffold/k8s    # unless it is a dependency already"];
  const generate = options.isExternal ? [] : ["npm run manifests    # writes the definitions of these kinds too"];
  return ["import the kinds where you use them: each name is both a type and a value", ...generate];
}
