import path from "node:path";

import { type Diagnostic, hasErrors, renderDiagnostics } from "@kubescaffold/generators/diagnostics";
import {
  type CachedRunResult,
  createPlannedHost,
  findStaleCrds,
  type ProcessCaches,
  runGeneratorsCached,
  warnStaleCrd,
} from "@kubescaffold/generators/runs";
import type { KubernetesMinor } from "@kubescaffold/k8s";

import { createGitRevisions } from "../../git/git.ts";
import type { FileTree } from "../../machinery/file-tree.ts";
import { PROJECT_FILE } from "../../project/project-config.ts";
import type { Invocation } from "../command/command.ts";
import { GenerateFailedError } from "../command/errors.ts";
import { shownPath } from "../session/project-folder.ts";
import { generatingVersion } from "./generating-version.ts";
import { placeOptions } from "./project-arguments.ts";
import { buildId, createRunStore, createSourceStore } from "./run-store.ts";

/** Whose sources are read, what is generated, and the tree that takes the files. */
export interface GenerateRequest {
  readonly root: string;
  readonly args: readonly string[];
  /** What it plans already counts as written; it takes the generated files. */
  readonly tree: FileTree;
  /** What to do about errors, after they were listed; it may depend on them. */
  readonly hint?: string | ((errors: readonly Diagnostic[]) => string);
  /** The minor version of Kubernetes whose built-in structs are used. Default: that of the environment or the project. */
  readonly kubernetesVersion?: KubernetesMinor;
  /** Whether to warn of what a supported minor version lacks. */
  readonly checksReleases?: boolean;
  /** Whether warnings are errors. */
  readonly isStrict?: boolean;
  /** Whether generated CRDs that no source defines any more are deleted. */
  readonly prunes?: boolean;
  /** Whether a run that would see and write the same as a former one is skipped, which it is unless this says no. */
  readonly usesCache?: boolean;
  /** The caches of earlier runs of this process, so that only what changed is read again. */
  readonly caches?: ProcessCaches;
  /** Receives the findings, none included; printed on standard error unless given. */
  readonly report?: (diagnostics: readonly Diagnostic[]) => void;
}

/**
 * Runs generators over the sources as the tree has them and plans their files in it; warnings go to standard error.
 *
 * Fails: `GenerateFailedError` after the errors were printed.
 */
export async function planGenerated(
  invocation: Invocation,
  request: GenerateRequest,
): Promise<Pick<CachedRunResult, "stdout">> {
  const { isStrict = false, kubernetesVersion: flag } = request;
  const kubernetesVersion = generatingVersion({ ...request, flag });
  const result = await runCached({ ...request, kubernetesVersion });
  const found = hasErrors(result.diagnostics)
    ? placeOptions(result.diagnostics, request)
    : [...result.diagnostics, ...dealWithStaleCrds(request, result)];
  const diagnostics = isStrict ? found.map((each): Diagnostic => ({ ...each, severity: "error" })) : found;
  if (request.report !== undefined) {
    request.report(diagnostics);
  } else if (diagnostics.length > 0) {
    const shown = renderDiagnostics(diagnostics, (file) => shownPath(invocation, file));
    invocation.terminal.writeError(`${shown}\n`);
  }
  requireNoErrors(diagnostics, request);
  planFiles(result, request);
  return result;
}

// What this process has written itself need not be compared with the disk again.
function planFiles({ files }: CachedRunResult, { root, tree, caches }: GenerateRequest): void {
  for (const { path: file, content } of files) {
    if (caches?.written.get(file) === content) continue;
    tree.create(inTree(root, file), content, { ifExists: "overwrite", isPrinted: true });
    caches?.written.set(file, content);
  }
}

function runCached({
  root,
  args,
  tree,
  caches,
  kubernetesVersion,
  checksReleases = false,
  usesCache = true,
}: GenerateRequest): Promise<CachedRunResult> {
  const planned = tree.actions().map((action) => ({
    path: action.path,
    content: action.kind === "delete" ? undefined : action.content,
  }));
  // A process with caches needs only what changed.
  const build = usesCache && caches === undefined ? buildId() : undefined;
  const [store, sources] = build === undefined ? [] : [createRunStore(), createSourceStore()];
  return runGeneratorsCached({
    root,
    arguments: args,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
    checksReleases,
    host: createPlannedHost(root, planned),
    ...(caches === undefined ? {} : { caches }),
    ...(build === undefined || store === undefined
      ? {}
      : { cache: { build, runs: store, ...(sources === undefined ? {} : { sources }) } }),
    revisions: createGitRevisions(root),
    readOutput: (file) => tree.read(inTree(root, file)),
  });
}

// What is deleted needs no warning.
function dealWithStaleCrds(
  { root, args, tree, prunes = false }: GenerateRequest,
  { files, unchanged }: CachedRunResult,
): readonly Diagnostic[] {
  const generated = [...unchanged, ...files.map((file) => file.path)];
  // What the command is about to delete is stale no longer.
  const stale = findStaleCrds({ root, arguments: args, generated }).filter((each) =>
    tree.exists(inTree(root, each.path)),
  );
  const pruned = stale.filter((each) => prunes && each.isOurs);
  for (const each of pruned) tree.delete(inTree(root, each.path));
  return stale.filter((each) => !pruned.includes(each)).map((each) => warnStaleCrd(each));
}

function requireNoErrors(
  diagnostics: readonly Diagnostic[],
  { hint: given = NOTHING_GENERATED }: GenerateRequest,
): void {
  const errors = diagnostics.filter((each) => each.severity === "error");
  if (errors.length === 0) return;
  const place = errors.some((each) => each.file !== "" && each.file !== PROJECT_FILE) ? "sources" : "arguments";
  const count = `${errors.length} ${errors.length === 1 ? "error" : "errors"} in the ${place}`;
  const hint = typeof given === "string" ? given : given(errors);
  throw new GenerateFailedError(`not all generators ran successfully: ${count}`, { hint, topic: errors[0]?.code });
}

const NOTHING_GENERATED = "fix the errors above; nothing was generated";

function inTree(root: string, file: string): string {
  const relative = path.isAbsolute(file) ? path.relative(root, file) : file;
  return relative.replaceAll("\\", "/");
}
