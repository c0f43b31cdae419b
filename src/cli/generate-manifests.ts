import path from "node:path";

import { hasErrors, renderDiagnostics } from "../diagnostics/diagnostic.ts";
import { type GenerateResult, runGenerators } from "../generators/run-generators.ts";
import { createDiskReader } from "../machinery/disk.ts";
import { type FileAction, FileTree } from "../machinery/file-tree.ts";
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

/**
 * Runs generators and returns what they would change on disk; warnings go to standard error.
 *
 * Fails: `GenerateFailedError` after the mistakes were printed.
 */
export async function planGenerated(
  { terminal }: Invocation,
  root: string,
  args: readonly string[],
): Promise<{ readonly actions: readonly FileAction[]; readonly result: GenerateResult }> {
  const result = await runGenerators({ root, arguments: args });
  if (result.diagnostics.length > 0) terminal.writeError(`${renderDiagnostics(result.diagnostics)}\n`);
  if (hasErrors(result.diagnostics)) {
    const count = result.diagnostics.filter((each) => each.severity === "error").length;
    throw new GenerateFailedError(
      `not all generators ran successfully: ${count} ${count === 1 ? "mistake" : "mistakes"} in the sources`,
      {
        hint: "correct what is listed above; nothing was generated",
      },
    );
  }
  return { actions: actionsFor(root, result), result };
}

function actionsFor(root: string, { files }: GenerateResult): readonly FileAction[] {
  const tree = new FileTree(createDiskReader(root));
  for (const file of files) {
    const relative = path.isAbsolute(file.path) ? path.relative(root, file.path) : file.path;
    tree.create(relative.replaceAll("\\", "/"), file.content, { ifExists: "overwrite" });
  }
  return tree.actions();
}
