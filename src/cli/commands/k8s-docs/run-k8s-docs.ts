import { ScaffoldError } from "@kubescaffold/k8s";
import type { Descriptions } from "@kubescaffold/k8s/tables";

import { writeOwnFile } from "../../../machinery/commit/own-file.ts";
import { diskFailure } from "../../../machinery/disk-failure.ts";
import type { Invocation } from "../../command.ts";
import { InputError, InvalidFlagError } from "../../errors.ts";
import { switchFlag, textFlag } from "../../flags/flag-values.ts";
import { wantsJson } from "../../output/report-outcome.ts";
import { shownPath } from "../../session/project-folder.ts";
import { readClusterDescriptions } from "./cluster-descriptions.ts";
import { readGoDescriptions } from "./go-descriptions.ts";
import { readPackageDescriptions } from "./package-descriptions.ts";
import { describeTypes, restoreTypes, type TypesResult } from "./types-in-modules.ts";

/** Downloads descriptions, and adds them to what shows them. */
export async function runK8sDocs(invocation: Invocation): Promise<number> {
  const { flags, cwd } = invocation;
  if (switchFlag(flags, "remove") === true) return remove(invocation);
  const outputFile = textFlag(flags, "output-file");
  if (textFlag(flags, "from") === "go") return writeGoComments(invocation, outputFile);
  const { descriptions, file } = await obtain(invocation);
  if (outputFile !== undefined) await writeProjectFile(invocation, outputFile, descriptions);
  const types = switchFlag(flags, "types") === false ? undefined : await describeTypes(cwd, descriptions);
  report(invocation, { descriptions, file, outputFile, types });
  return 0;
}

// Comments have the lines of the sources, which only CRDs have.
async function writeGoComments(invocation: Invocation, outputFile: string | undefined): Promise<number> {
  if (outputFile === undefined) {
    throw new InvalidFlagError("cannot use --from=go without --output-file: Go comments are for CRDs", {
      hint: "pass --output-file=hack/k8s-docs.json, or another source",
    });
  }
  const descriptions = await readGoDescriptions(invocation);
  await writeProjectFile(invocation, outputFile, descriptions);
  report(invocation, { descriptions, outputFile });
  return 0;
}

/**
 * Adds descriptions to the types of a new project, from the cache or the npm package.
 *
 * Guarantees: the command that calls it does not fail for the lack of descriptions; the reason is a note.
 */
export async function describeNewProject(invocation: Pick<Invocation, "cwd" | "terminal">): Promise<void> {
  try {
    const { descriptions } = await obtain({ ...invocation, flags: {} });
    await describeTypes(invocation.cwd, descriptions);
  } catch (error) {
    if (!(error instanceof ScaffoldError)) throw error;
    invocation.terminal.writeError(
      `note: the types of Kubernetes have no descriptions in editors: ${error.message}; run \`npx scaffold k8s-docs\` to add them\n`,
    );
  }
}

async function remove(invocation: Invocation): Promise<number> {
  const types = await restoreTypes(invocation.cwd);
  const text = wantsJson(invocation) ? JSON.stringify({ types }, undefined, 2) : `types    ${removalText(types)}`;
  invocation.terminal.writeOut(`${text}\n`);
  return 0;
}

function removalText({ reason, files }: TypesResult): string {
  if (reason !== undefined) return `not changed: ${reason}`;
  return files === 0 ? "have no descriptions" : `removed the descriptions from ${fileCount(files)}`;
}

/** Descriptions, and the file that caches them. */
interface Obtained {
  readonly descriptions: Descriptions;
  readonly file: string;
}

async function obtain(invocation: Pick<Invocation, "cwd" | "terminal" | "flags">): Promise<Obtained> {
  const { descriptionsFile, readDescriptions, storeDescriptions } = await import("@kubescaffold/envtest/descriptions");
  const { flags } = invocation;
  const isOffline = switchFlag(flags, "offline") === true;
  const source = sourceOf(invocation);
  if (isOffline && switchFlag(flags, "refresh") === true) {
    throw new InvalidFlagError("cannot refresh the descriptions offline", {
      hint: "pass only one of --refresh and --offline",
    });
  }
  // A cluster is named for its own descriptions, whatever is cached.
  const usesCache = isOffline || (source === "package" && switchFlag(flags, "refresh") !== true);
  const cached = usesCache ? await readDescriptions() : undefined;
  if (cached !== undefined) return { descriptions: cached, file: descriptionsFile(cached.release) };
  if (isOffline) {
    throw new InputError("cannot add descriptions: none are cached", {
      hint: "run `scaffold k8s-docs` without --offline once on this machine",
    });
  }
  const descriptions =
    source === "cluster" ? await readClusterDescriptions(invocation) : await readPackageDescriptions(invocation);
  const file = await storeDescriptions(descriptions).catch((error: unknown) => {
    throw diskFailure(error, { what: "cache the descriptions", outcome: "nothing was changed" });
  });
  return { descriptions, file };
}

function sourceOf({ flags }: Pick<Invocation, "flags">): "package" | "cluster" {
  const from = textFlag(flags, "from");
  const namesCluster = textFlag(flags, "kubeconfig") !== undefined || textFlag(flags, "context") !== undefined;
  if (from === "package" && namesCluster) {
    throw new InvalidFlagError("cannot use --kubeconfig or --context with --from=package", { hint: "omit --from" });
  }
  return from === "cluster" || namesCluster ? "cluster" : "package";
}

async function writeProjectFile({ cwd }: Invocation, path: string, descriptions: Descriptions): Promise<void> {
  const { printDescriptions } = await import("@kubescaffold/k8s/tables");
  await writeOwnFile({ root: cwd, path: path.replaceAll("\\", "/"), content: printDescriptions(descriptions) });
}

interface Report {
  readonly descriptions: Descriptions;
  readonly file?: string;
  readonly outputFile?: string | undefined;
  readonly types?: TypesResult | undefined;
}

function report(invocation: Invocation, { descriptions, file, outputFile, types }: Report): void {
  const { release, source } = descriptions;
  if (wantsJson(invocation)) {
    invocation.terminal.writeOut(`${JSON.stringify({ release, source, file, outputFile, types }, undefined, 2)}\n`);
    return;
  }
  const lines = [
    `release  ${release}, from ${source}`,
    ...(file === undefined ? [] : [`cached   ${file}`]),
    ...(types === undefined ? [] : [`types    ${typesText(types)}`]),
    ...(outputFile === undefined ? [] : [`written  ${shownPath(invocation, outputFile)}`]),
  ];
  if (outputFile !== undefined) {
    lines.push("", "Next:", `  npx scaffold edit --generator-options crd:descriptionsFile=${outputFile}`);
  }
  invocation.terminal.writeOut(`${lines.join("\n")}\n`);
}

function typesText({ folder, files, reason }: TypesResult): string {
  return reason === undefined ? `described in ${fileCount(files)} of ${folder}` : `not changed: ${reason}`;
}

function fileCount(files: number): string {
  return files === 1 ? "1 file" : `${String(files)} files`;
}
