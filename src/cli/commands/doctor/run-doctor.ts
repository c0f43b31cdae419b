import path from "node:path";

import { runGenerators } from "@kubescaffold/generators";
import { hasErrors } from "@kubescaffold/generators/diagnostics";
import { createPlannedHost, findStaleCrds } from "@kubescaffold/generators/runs";

import { pluginOutputs } from "../../../changes/next-steps.ts";
import { partsOf, replayParts } from "../../../changes/replay.ts";
import { diagnoseBuild } from "../../../doctor/built-objects.ts";
import { diagnoseKindNames } from "../../../doctor/kind-names.ts";
import { diagnoseKubectlPlugins } from "../../../doctor/kubectl-plugins.ts";
import { diagnoseApply, diagnoseFiles, type Finding, diagnoseScripts } from "../../../doctor/project-files.ts";
import { resourceProblems } from "../../../doctor/resource-problems.ts";
import { diagnoseSamples, samplesOf } from "../../../doctor/samples.ts";
import { diagnoseOutputs } from "../../../doctor/stale-outputs.ts";
import { diagnoseStateFolder } from "../../../doctor/state-folder.ts";
import { diagnoseInstalledVersions, diagnoseStoredVersions } from "../../../doctor/stored-versions.ts";
import { diagnoseSyntax } from "../../../doctor/syntax.ts";
import { diagnoseTools } from "../../../doctor/tools.ts";
import { diagnoseUnrecorded } from "../../../doctor/unrecorded-files.ts";
import { createGitRevisions } from "../../../git/git.ts";
import { JOURNAL_FOLDER } from "../../../machinery/commit/journal-manifest.ts";
import { isExecutable } from "../../../machinery/disk.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import type { ProjectProblem } from "../../../project/name-rules.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import { readDefinitions } from "../../cluster/read-definitions.ts";
import type { Invocation } from "../../command/command.ts";
import type { SelectedCluster } from "../../flags/cluster-flags.ts";
import { generatingVersion } from "../../generating/generating-version.ts";
import { allArguments, placeOptions } from "../../generating/project-arguments.ts";
import { recoveredIn, reportOutcome, withCall } from "../../output/report-outcome.ts";
import { findInterruption } from "../../session/interrupted-commands.ts";
import {
  inspectProject,
  type ProjectSession,
  withProjectSession,
  pluginsToReplay,
} from "../../session/project-session.ts";
import { projectKinds } from "../migrate-storage/select-definitions.ts";

/** What is checked beside the project, and whether it is fixed. */
export interface DoctorOptions {
  readonly fixes: boolean;
  /** The cluster whose CRDs are compared with the project's. */
  readonly cluster: SelectedCluster | undefined;
}

/** Checks the project in the working folder, and fixes it when it is asked to; the status is 1 when an error is left. */
export function runDoctor({ fixes, cluster }: DoctorOptions, invocation: Invocation): Promise<number> {
  const dry = invocation.isDryRun || !fixes;
  return withProjectSession(invocation, { isDryRun: dry, reportsInterruption: true }, async (session) => {
    const interrupted = dry ? await diagnoseInterruption(session.root) : [];
    // The command that starts a project may be the one that was interrupted.
    if (interrupted.length > 0 && !session.tree.exists(PROJECT_FILE)) return report(invocation, interrupted);
    const { project, problems } = inspectProject(session);
    // Nothing is created from names that could lead anywhere.
    const findings =
      problems.length > 0 ? findNames(project, problems) : await diagnose(invocation, session, { project, cluster });
    if (!fixes) return report(invocation, [...interrupted, ...findings]);
    const fixed = findings.filter((each) => each.fix !== undefined);
    for (const { fix } of fixed) fix?.(session.tree);
    const actions = session.tree.actions();
    if (!dry) await session.commit(actions);
    if (!invocation.printsJson) reportOutcome(invocation, { actions });
    return report(invocation, [...interrupted, ...findings.filter((each) => !fixed.includes(each))]);
  });
}

async function diagnoseInterruption(root: string): Promise<readonly Finding[]> {
  const found = await findInterruption(root);
  return found === undefined ? [] : [{ severity: "error", path: JOURNAL_FOLDER, ...found }];
}

async function diagnose(
  invocation: Invocation,
  { root, tree }: ProjectSession,
  { project, cluster }: { readonly project: ProjectConfig } & Pick<DoctorOptions, "cluster">,
): Promise<readonly Finding[]> {
  const { plugins, keys } = await pluginsToReplay(invocation, project);
  const options = { project, plugins, chain: keys, tree };
  const [init, ...parts] = partsOf(project);
  const foundation = await replayParts(init === undefined ? [] : [init], options);
  const scaffolded = { foundation, parts: await replayParts(parts, options) };
  const args = allArguments(tree);
  const { files, ...generated } = await runGenerators({
    root,
    arguments: args,
    kubernetesVersion: generatingVersion({ root, tree }),
    checksReleases: true,
    host: createPlannedHost(root, []),
    revisions: createGitRevisions(root),
  });
  const diagnostics = placeOptions(generated.diagnostics, { tree, args });
  const outputs = await pluginOutputs(invocation, { project, tree });
  const { version } = invocation.program;
  const broken = await diagnoseSyntax(tree, [
    ...scaffolded.foundation.files.keys(),
    ...scaffolded.parts.files.keys(),
    ...samplesOf(tree),
  ]);
  const isGenerated = !hasErrors(diagnostics);
  return [
    ...findNames(project, []),
    ...diagnoseFiles(tree, scaffolded),
    ...broken,
    ...diagnoseApply(tree, project),
    ...diagnoseScripts(tree),
    ...diagnoseKubectlPlugins(tree, project),
    ...diagnoseStoredVersions(tree, project),
    ...diagnoseUnrecorded(tree, project, files),
    ...diagnoseGenerated(tree, { files, diagnostics }),
    ...diagnoseReleases(diagnostics),
    ...(isGenerated ? diagnoseKindNames({ tree, project, generated: files }) : []),
    ...(isGenerated ? diagnoseStale(root, { args, files }) : []),
    ...(isGenerated && broken.length === 0
      ? diagnoseBuild(withFiles(tree, files, [scaffolded.parts, scaffolded.foundation]), project)
      : []),
    ...(await diagnoseSamples({ tree, generated: isGenerated ? files : [] })),
    ...(isGenerated ? await diagnoseOutputs(outputs, { tree, project, generated: files }) : []),
    ...(isGenerated && cluster !== undefined
      ? await diagnoseCluster(cluster, { root, project, generated: files })
      : []),
    ...(await diagnoseStateFolder(root, tree)),
    ...diagnoseTools({ root, project, tree, version, nodeVersion: process.version, hasProgram }),
  ];
}

async function diagnoseCluster(
  cluster: SelectedCluster,
  { root, ...own }: { readonly root: string; readonly project: ProjectConfig; readonly generated: Generated["files"] },
): Promise<readonly Finding[]> {
  const names = projectKinds(root).map(({ crd }) => crd);
  return diagnoseInstalledVersions({ installed: await readDefinitions(cluster, names), ...own });
}

function findNames(project: ProjectConfig, problems: readonly ProjectProblem[]): readonly Finding[] {
  const hint = "fix the value, or restore PROJECT from version control: other commands reject the project";
  const explained = resourceProblems(project);
  // A name that breaks the rule of its flag is explained with a proposal.
  const others = explained.length > 0 ? problems.filter((each) => !isExplained(each)) : problems;
  return [...explained, ...others.map(({ message }) => ({ message, hint }))].map((each): Finding => ({
    severity: "error",
    path: PROJECT_FILE,
    ...each,
  }));
}

const EXPLAINED = /^(?:projectName|domain|repo|group|version|kind|plural|name)$/u;

function isExplained({ path: place }: ProjectProblem): boolean {
  return EXPLAINED.test(place.at(-1) ?? "");
}

// Stale files and missing ones are reported separately.
function withFiles(
  tree: FileTree,
  generated: Generated["files"],
  scaffolded: readonly { readonly files: ReadonlyMap<string, string> }[],
): (path: string) => string | undefined {
  const contents = new Map(generated.map(({ path: file, content }) => [file, content]));
  return (file) =>
    contents.get(file) ??
    tree.read(file) ??
    scaffolded.map(({ files }) => files.get(file)).find((content) => content !== undefined);
}

// One cause may be in each type.
const MOST_ERRORS = 20;

function diagnoseGenerated(tree: FileTree, { files, diagnostics }: Generated): readonly Finding[] {
  if (hasErrors(diagnostics)) {
    const errors = diagnostics.filter((each) => each.severity === "error");
    const hint = "run npm run manifests, which shows the place of each error";
    const more = errors.length - MOST_ERRORS;
    return [
      ...errors.slice(0, MOST_ERRORS).map((each): Finding => ({
        severity: "error",
        path: each.file,
        ...(each.line === 0 ? {} : { line: each.line }),
        message: `cannot generate: ${each.message}`,
        hint: each.hint ?? hint,
      })),
      ...(more > 0
        ? [
            {
              severity: "error" as const,
              path: "",
              message: `cannot generate: ${counted(more, "further error")}`,
              hint,
            },
          ]
        : []),
    ];
  }
  return files
    .filter((file) => tree.read(file.path) !== file.content)
    .map((file) => ({
      severity: "error",
      path: file.path,
      message: tree.exists(file.path) ? "the generated file is stale" : "the generated file is missing",
      hint: "run npm run manifests and npm run generate, or run with --fix",
      fix: (fixed) => fixed.create(file.path, file.content, { ifExists: "overwrite" }),
    }));
}

const LACKS = /^KUBERNETES_LACKS_/u;

function diagnoseReleases(diagnostics: Generated["diagnostics"]): readonly Finding[] {
  return diagnostics
    .filter(({ code }) => LACKS.test(code))
    .map(({ file, line, message, hint = "" }) => ({ severity: "note", path: file, line, message, hint }));
}

// kustomize and the tests install all definitions of the folder.
function diagnoseStale(
  root: string,
  { args, files }: { readonly args: readonly string[] } & Pick<Generated, "files">,
): readonly Finding[] {
  const generated = files.map(({ path: file }) => file);
  return findStaleCrds({ root, arguments: args, generated }).map(({ path: file, name }) => ({
    severity: "note",
    path: file,
    message: `the CRD ${name} was generated, but no type of the sources defines it`,
    hint: "delete the file and its line in config/crd/kustomization.yaml, or run npm run manifests -- --prune",
  }));
}

type Generated = Pick<Awaited<ReturnType<typeof runGenerators>>, "diagnostics" | "files">;

function hasProgram(name: string): boolean {
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  const endings = process.platform === "win32" ? [".exe", ".cmd"] : [""];
  return folders.some((folder) => endings.some((ending) => isExecutable(path.join(folder, name + ending))));
}

function report(invocation: Invocation, found: readonly Finding[]): number {
  const { terminal, program } = invocation;
  const findings = found.map((each) => ({ ...each, hint: withCall(each.hint, program) }));
  const errors = findings.filter((each) => each.severity === "error");
  if (invocation.printsJson) {
    const shown = findings.map(({ severity, path: file, line, message, hint, fix }) => ({
      severity,
      path: file,
      ...(line === undefined ? {} : { line }),
      message,
      hint,
      canFix: fix !== undefined,
    }));
    terminal.writeOut(`${JSON.stringify({ findings: shown, ...recoveredIn(invocation) }, undefined, 2)}\n`);
  } else {
    for (const finding of findings)
      terminal.writeOut(`${finding.severity}: ${placeOf(finding)}${finding.message}\n  ${finding.hint}\n`);
    const counts = `${counted(errors.length, "error")}, ${counted(findings.length - errors.length, "note")}`;
    terminal.writeOut(findings.length === 0 ? "No problems found.\n" : `\n${counts}\n`);
  }
  return errors.length === 0 ? 0 : 1;
}

function placeOf({ path: file, line }: Finding): string {
  if (file === "") return "";
  return line === undefined ? `${file}: ` : `${file}:${line}: `;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}
