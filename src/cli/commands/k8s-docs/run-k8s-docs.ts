import path from "node:path";

import { ScaffoldError } from "@kubescaffold/k8s";
import type { Descriptions } from "@kubescaffold/k8s/tables";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import { diskFailure } from "../../../machinery/disk-failure.ts";
import { pathKindSync } from "../../../machinery/disk.ts";
import { DiskError } from "../../../machinery/errors.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { shellWord } from "../../../project/shell-word.ts";
import type { Invocation } from "../../command/command.ts";
import { InputError, InterruptedError } from "../../command/errors.ts";
import { withCall } from "../../output/report-outcome.ts";
import { shownPath } from "../../session/project-folder.ts";
import type { DescribeOptions, DescriptionSource, K8sDocsOptions } from "./k8s-docs-options.ts";
import { describeTypes, restoreTypes, type TypesResult } from "./types-in-modules.ts";

/** Downloads descriptions, and adds them to what shows them. */
export async function runK8sDocs(options: K8sDocsOptions, invocation: Invocation): Promise<number> {
  if (options.kind === "remove") return await remove(invocation);
  if (options.kind === "go") return await writeGoComments(invocation, options.outputFile);
  const { outputFile, describesTypes } = options;
  const { descriptions, file, problem } = await obtain(invocation, options);
  if (outputFile !== undefined) await writeProjectFile(invocation, outputFile, descriptions);
  const types = describesTypes ? await describeTypes(invocation.cwd, descriptions) : undefined;
  const isUsed = outputFile !== undefined || (types !== undefined && types.reason === undefined);
  if (problem !== undefined && !isUsed) throw problem;
  if (problem !== undefined) warnOfCache(invocation, problem);
  report(invocation, { descriptions, file, outputFile, types });
  return 0;
}

function warnOfCache({ terminal, program }: Invocation, { message, hint = "" }: DiskError): void {
  const text = `warning: ${message}; \`scaffold explain\` and API servers print none\nhint: ${hint}\n`;
  terminal.writeError(withCall(text, program));
}

// Comments have the lines of the sources, which only CRDs have.
async function writeGoComments(invocation: Invocation, outputFile: string): Promise<number> {
  const { readGoDescriptions } = await import("./go-descriptions.ts");
  const descriptions = await readGoDescriptions(invocation);
  await writeProjectFile(invocation, outputFile, descriptions);
  report(invocation, { descriptions, outputFile });
  return 0;
}

/**
 * Adds descriptions to the types of a new project, from the cache or the npm package.
 *
 * Guarantees: the command that calls it does not fail for the lack of descriptions; the reason is a note.
 * Fails: {@link InterruptedError}.
 */
export async function describeNewProject(invocation: Pick<Invocation, "cwd" | "program" | "terminal">): Promise<void> {
  try {
    const { descriptions } = await obtain(invocation, NEW_PROJECT);
    await describeTypes(invocation.cwd, descriptions);
  } catch (error) {
    if (!(error instanceof ScaffoldError) || error instanceof InterruptedError) throw error;
    const note = `note: the types of Kubernetes have no descriptions in editors: ${error.message}; run \`npx scaffold k8s-docs\` to add them\n`;
    invocation.terminal.writeError(withCall(note, { packageManager: invocation.program.packageManager }));
  }
}

const NEW_PROJECT: DescribeOptions = {
  kind: "describe",
  source: { kind: "package" },
  isRefreshed: false,
  isOffline: false,
  describesTypes: true,
  outputFile: undefined,
};

async function remove(invocation: Invocation): Promise<number> {
  const types = await restoreTypes(invocation.cwd);
  const text = invocation.printsJson ? JSON.stringify({ types }, undefined, 2) : `types    ${removalText(types)}`;
  invocation.terminal.writeOut(`${text}\n`);
  return 0;
}

function removalText({ reason, files }: TypesResult): string {
  if (reason !== undefined) return `not changed: ${reason}`;
  return files === 0 ? "have no descriptions" : `removed the descriptions from ${fileCount(files)}`;
}

/** Descriptions, and the file that caches them, or the reason why none does. */
interface Obtained {
  readonly descriptions: Descriptions;
  readonly file?: string;
  readonly problem?: DiskError;
}

async function obtain(
  invocation: Pick<Invocation, "cwd" | "terminal">,
  { source, isOffline, isRefreshed }: DescribeOptions,
): Promise<Obtained> {
  const { descriptionsFile, readDescriptions } = await import("@kubescaffold/envtest/descriptions");
  // A cluster is named for its own descriptions, whatever is cached.
  const cached = source.kind === "package" && !isRefreshed ? await readDescriptions() : undefined;
  if (cached !== undefined) return { descriptions: cached, file: descriptionsFile(cached.release) };
  if (isOffline) {
    throw new InputError("cannot add descriptions: none are cached", {
      hint: "run `scaffold k8s-docs` without --offline once on this machine",
    });
  }
  const descriptions = await readSource(invocation, source);
  return { descriptions, ...(await cache(descriptions)) };
}

async function readSource(
  invocation: Pick<Invocation, "cwd" | "terminal">,
  source: DescriptionSource,
): Promise<Descriptions> {
  if (source.kind === "cluster") {
    const { readClusterDescriptions } = await import("./cluster-descriptions.ts");
    return await readClusterDescriptions(source, invocation);
  }
  const { readPackageDescriptions } = await import("./package-descriptions.ts");
  return await readPackageDescriptions(invocation);
}

// The descriptions are of use without a cache, which only spares the next download.
async function cache(descriptions: Descriptions): Promise<Pick<Obtained, "file" | "problem">> {
  const { descriptionsFile, storeDescriptions } = await import("@kubescaffold/envtest/descriptions");
  try {
    return { file: await storeDescriptions(descriptions) };
  } catch (error) {
    const what = `cache the descriptions in ${path.dirname(descriptionsFile(descriptions.release))}`;
    const problem = diskFailure(error, { what, outcome: "XDG_CACHE_HOME selects another cache folder" });
    if (problem instanceof DiskError) return { problem };
    throw problem;
  }
}

async function writeProjectFile({ cwd }: Invocation, file: string, descriptions: Descriptions): Promise<void> {
  const { printDescriptions } = await import("@kubescaffold/k8s/tables");
  await writeOwnFile({ root: cwd, path: file.replaceAll("\\", "/"), content: printDescriptions(descriptions) });
}

interface Report {
  readonly descriptions: Descriptions;
  readonly file?: string | undefined;
  readonly outputFile?: string | undefined;
  readonly types?: TypesResult | undefined;
}

function report(invocation: Invocation, { descriptions, file, outputFile, types }: Report): void {
  const { release, source } = descriptions;
  if (invocation.printsJson) {
    invocation.terminal.writeOut(`${JSON.stringify({ release, source, file, outputFile, types }, undefined, 2)}\n`);
    return;
  }
  const lines = [
    `release  ${release}, from ${source}`,
    ...(file === undefined ? [] : [`cached   ${file}`]),
    ...(types === undefined ? [] : [`types    ${typesText(types)}`]),
    ...(outputFile === undefined
      ? []
      : [`written  ${shownPath(invocation, outputFile)}`, ...nextLines(invocation, outputFile)]),
  ];
  invocation.terminal.writeOut(`${lines.join("\n")}\n`);
}

// The option is relative to the project, which may be elsewhere on another machine.
function nextLines({ cwd, program }: Invocation, outputFile: string): readonly string[] {
  if (pathKindSync(path.join(cwd, PROJECT_FILE)) !== "file") return [];
  const relative = path.relative(cwd, path.resolve(cwd, outputFile)).replaceAll("\\", "/");
  const command = `npx scaffold edit --generator-options ${shellWord(`crd:descriptionsFile=${relative}`)}`;
  return ["", "Next:", `  ${withCall(command, program)}`];
}

function typesText({ folder, files, reason }: TypesResult): string {
  return reason === undefined ? `described in ${fileCount(files)} of ${folder}` : `not changed: ${reason}`;
}

function fileCount(files: number): string {
  return files === 1 ? "1 file" : `${String(files)} files`;
}
