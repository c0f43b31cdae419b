import { readdirSync } from "node:fs";
import path from "node:path";

import { compareManifests } from "../../../go-project/compare-manifests.ts";
import { ImportTargetError } from "../../../go-project/errors.ts";
import { planTranslations } from "../../../go-project/file-counterparts.ts";
import { type GoProject, readGoProject } from "../../../go-project/go-project.ts";
import { checkBuild } from "../../../go-project/import-checks.ts";
import { builtWebhooks, carryFields } from "../../../go-project/kustomizations/carried-fields.ts";
import { settleKustomizations } from "../../../go-project/kustomizations/settle-kustomizations.ts";
import { keepLeaderElectionId } from "../../../go-project/leader-election.ts";
import { definitionsOf, readManifestFacts } from "../../../go-project/manifest-facts.ts";
import { type Migration, MIGRATION_FILE, migrationPage, readFromOf } from "../../../go-project/migration-page.ts";
import { oldPartNotes } from "../../../go-project/old-layouts.ts";
import { copySamples, sortOthers } from "../../../go-project/other-files.ts";
import { copyRoles } from "../../../go-project/other-roles.ts";
import { type NotMapped, type PlannedProject, planProject } from "../../../go-project/plan-project.ts";
import { FileTree } from "../../../machinery/file-tree.ts";
import { BOILERPLATE_FILE, headerOf } from "../../../project/boilerplate-file.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { printProject } from "../../../project/project-file.ts";
import type { Invocation } from "../../command/command.ts";
import { InputError } from "../../command/errors.ts";
import { headerComment } from "../../flags/boilerplate.ts";
import { requireValidDefinitions } from "../../generating/check-definitions.ts";
import { planGenerated } from "../../generating/generate-manifests.ts";
import { allArguments } from "../../generating/project-arguments.ts";
import { reportOutcome } from "../../output/report-outcome.ts";
import { inNewFolder } from "../../session/new-folder.ts";
import { withProjectSession, pluginsFor } from "../../session/project-session.ts";
import { chosenManager, type ManagerChoice } from "../init/run-init.ts";
import { checkImported, type CheckOptions, checksOfDryRun } from "./check-imported.ts";
import { checkNote, notesOf } from "./migration-notes.ts";
import {
  fillExamples,
  fitWebhookTests,
  placeImportedMarkers,
  scaffoldImported,
  writeImportedTypes,
} from "./plan-imported.ts";
import { readGoFiles } from "./read-go-files.ts";

/** The project that starts from one in Go. */
export interface ImportProjectOptions extends ManagerChoice, CheckOptions {
  /** The folder of the new project. */
  readonly output: string;
  /** Its name; that of the Go project unless given. */
  readonly projectName: string | undefined;
  /** The name of its npm package; that of the project unless given. */
  readonly repo: string | undefined;
  /** The folder of the CRDs in the Go project. */
  readonly crds: string | undefined;
}

/** Starts a project in TypeScript from one in Go. */
export async function runImportProject(options: ImportProjectOptions, called: Invocation): Promise<number> {
  const source = sourceOf(called);
  const { output: root } = options;
  const packageManager = await chosenManager(options, called, root);
  const invocation = { ...called, program: { ...called.program, packageManager } };
  const files = readGoFiles(path.resolve(invocation.cwd, source), source, options.crds);
  refuseUsed(root, path.relative(invocation.cwd, root) || ".");
  requireValidDefinitions(definitionsOf(files), invocation);
  const go = readGoProject(files, builtWebhooks(files, readManifestFacts(files).webhooks).webhooks);
  const planned = await planImported(invocation, go, {
    ...options,
    fallbackName: path.basename(path.resolve(invocation.cwd, source)).toLowerCase(),
  });
  // The folder is new, so nothing needs to be read.
  const tree = new FileTree({ read: () => undefined, list: () => [] });
  const migration = await fillTree(invocation, { tree, go, planned, root });
  tree.create(MIGRATION_FILE, migrationPage(migration));
  const actions = tree.actions();
  const built = checkBuild((file) => tree.read(file));
  if (!invocation.isDryRun) {
    await inNewFolder(root, () =>
      withProjectSession({ ...invocation, cwd: root }, { isDryRun: false }, ({ commit }) => commit(actions)),
    );
  }
  const further = invocation.isDryRun ? checksOfDryRun() : await checkImported(options, invocation, root);
  const checks = [built, ...further];
  const folder = path.relative(invocation.cwd, root);
  const isTested = checks.some(({ what, state }) => what === "tests" && state !== "not run");
  reportOutcome(invocation, {
    actions,
    notes: [...notesOf(migration), checkNote(checks)],
    details: { ...migration, checks },
    next: [
      ...(folder === "" ? [] : [`cd ${folder}`]),
      ...(isTested ? [] : ["npm install", "npm test"]),
      `follow ${MIGRATION_FILE}`,
    ],
  });
  return checks.some(({ state }) => state === "failed") ? 1 : 0;
}

function sourceOf({ words }: Invocation): string {
  const [source = "", ...more] = words;
  if (source.trim() !== "" && more.length === 0) return source;
  throw new InputError(
    more.length === 0 ? "cannot import without a project" : "cannot import several projects at once",
    {
      hint: "specify the folder of one kubebuilder project",
    },
  );
}

// A repository without a commit is as good as empty.
function refuseUsed(root: string, shown: string): void {
  let found: readonly string[] = [];
  try {
    found = readdirSync(root);
  } catch {
    return;
  }
  const [first] = found.filter((name) => name !== ".git").toSorted();
  if (first !== undefined) throw new ImportTargetError(shown, first);
}

interface Names extends Pick<ImportProjectOptions, "projectName" | "repo"> {
  readonly fallbackName: string;
}

async function planImported(
  invocation: Invocation,
  go: GoProject,
  { repo, projectName, fallbackName }: Names,
): Promise<PlannedProject> {
  const { keys } = await pluginsFor(invocation);
  const { plugins, bundles } = await invocation.program.registry();
  const known = new Set([...plugins, ...bundles].map(({ key }) => key));
  return planProject(go, {
    repo,
    projectName,
    fallbackName,
    cliVersion: invocation.program.version,
    layout: keys,
    hasPlugin: (key) => known.has(key),
  });
}

interface Filling {
  readonly tree: FileTree;
  readonly go: GoProject;
  readonly planned: PlannedProject;
  readonly root: string;
}

async function fillTree(invocation: Invocation, filling: Filling): Promise<Migration> {
  const { tree, go, planned, root } = filling;
  const boilerplate = boilerplateOf(go);
  const scaffolded = await scaffoldImported(invocation, { ...filling, boilerplate });
  tree.create(PROJECT_FILE, printProject(scaffolded.project));
  const header = headerOf(boilerplate === "" ? "" : (tree.read(BOILERPLATE_FILE) ?? boilerplate));
  const typeNotes = writeImportedTypes(filling, header);
  const markerNotes = placeImportedMarkers(filling, { files: scaffolded.controllerFiles, header });
  const exampleNotes = [...fillExamples(filling, scaffolded.controllerFiles), ...fitWebhookTests(filling)];
  const settings = carryFields(go.files, tree);
  const leaderElection = keepLeaderElectionId(tree, go, planned.project);
  copySamples(go.files, tree);
  const roleNotes = copyRoles(go.files, go.roles, tree);
  const hint = "the sources were generated from the manifests: fix the manifests, or report a bug; nothing was written";
  await planGenerated(invocation, { root, tree, args: allArguments(tree), hint, usesCache: false });
  const switchedOff = settleKustomizations(tree);
  const made = readManifestFacts({ paths: tree.files(), read: (file) => tree.read(file) });
  return {
    projectName: planned.project.projectName ?? "",
    readFrom: [...readFromOf(go), ...leaderElection],
    scores: compareManifests(go, made),
    translations: planTranslations(go, tree),
    others: sortOthers(go.files, tree),
    notMapped: distinct([
      ...planned.notMapped,
      ...typeNotes,
      ...markerNotes,
      ...exampleNotes,
      ...roleNotes,
      ...builtWebhooks(go.files, readManifestFacts(go.files).webhooks).notMapped,
      ...settings,
      ...switchedOff,
      ...oldPartNotes(go.files),
    ]),
  };
}

// Several replacements may have the same source.
function distinct(notes: readonly NotMapped[]): readonly NotMapped[] {
  return [...new Map(notes.map((note) => [`${note.what}\n${note.why}`, note])).values()];
}

const GO_BOILERPLATE = "hack/boilerplate.go.txt";

// Both languages have the same comments.
function boilerplateOf({ files }: GoProject): string {
  return headerOf(headerComment(files.read(GO_BOILERPLATE) ?? ""), GO_BOILERPLATE).trimEnd();
}
