import path from "node:path";

import { renderDiagnostics } from "../diagnostics/diagnostic.ts";
import { createPlannedHost } from "../generators/planned-host.ts";
import { type GenerateResult, runGenerators } from "../generators/run-generators.ts";
import type { FileTree } from "../machinery/file-tree.ts";
import type { Invocation } from "./command.ts";
import { GenerateFailedError } from "./errors.ts";

/** The generators that make the manifests of a project, as upstream's Makefile calls them. */
export const MANIFEST_ARGUMENTS: readonly string[] = [
  "rbac:roleName=manager-role",
  "crd",
  "webhook",
  "paths=./...",
  "output:crd:artifacts:config=config/crd/bases",
];

/** Whose sources are read, what is generated, and the tree that takes the files. */
export interface GenerateRequest {
  readonly root: string;
  readonly args: readonly string[];
  /** What it plans already counts as written; it takes the generated files. */
  readonly tree: FileTree;
  /** What to do about mistakes, after they were listed. */
  readonly hint?: string;
}

/**
 * Runs generators over the sources as the tree has them and plans their files in it; warnings go to standard error.
 *
 * Fails: `GenerateFailedError` after the mistakes were printed.
 */
export async function planGenerated(
  { terminal }: Invocation,
  { root, args, tree, hint = "correct what is listed above; nothing was generated" }: GenerateRequest,
): Promise<GenerateResult> {
  const planned = tree.actions().map((action) => ({
    path: action.path,
    content: action.kind === "delete" ? undefined : action.content,
  }));
  const result = await runGenerators({ root, arguments: args, host: createPlannedHost(root, planned) });
  if (result.diagnostics.length > 0) terminal.writeError(`${renderDiagnostics(result.diagnostics)}\n`);
  const errors = result.diagnostics.filter((each) => each.severity === "error");
  if (errors.length > 0) {
    const place = errors.some((each) => each.file !== "") ? "sources" : "arguments";
    const count = `${errors.length} ${errors.length === 1 ? "mistake" : "mistakes"} in the ${place}`;
    throw new GenerateFailedError(`not all generators ran successfully: ${count}`, { hint });
  }
  for (const file of result.files) {
    const relative = path.isAbsolute(file.path) ? path.relative(root, file.path) : file.path;
    tree.create(relative.replaceAll("\\", "/"), file.content, { ifExists: "overwrite" });
  }
  return result;
}
