import path from "node:path";

import { pathKindSync } from "../../../machinery/disk.ts";
import { NotARegularFileError } from "../../../machinery/errors.ts";
import { resolvePlugins } from "../../../plugin/registry.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import { parseProject, printProject } from "../../../project/project-file.ts";
import { restoreProject } from "../../../restore/restore-project.ts";
import type { Invocation } from "../../command/command.ts";
import { RestoreRefusedError } from "../../command/errors.ts";
import { confirmReplacing, reportOutcome } from "../../output/report-outcome.ts";
import { PROJECT_TRACES, type ProjectSession, withProjectSession } from "../../session/project-session.ts";

/** Writes the PROJECT file that the other files of the working folder stand for. */
export function runAlphaRestoreProject(
  { force }: { readonly force: boolean },
  invocation: Invocation,
): Promise<number> {
  return withProjectSession(invocation, { isDryRun: invocation.isDryRun }, async (session) => {
    refuse(session, force);
    const { project, unknown } = await restored(invocation, session);
    session.tree.create(PROJECT_FILE, printProject(project), { ifExists: "overwrite" });
    const actions = session.tree.actions();
    await confirmReplacing(invocation, { actions, paths: [PROJECT_FILE], verb: "Replace" });
    if (!invocation.isDryRun) await session.commit(actions);
    reportOutcome(invocation, {
      actions,
      notes: [`Not restored, because no other file contains it:\n${unknown.map((each) => `- ${each}`).join("\n")}`],
      next: ["`scaffold doctor` compares the project with the restored file"],
      details: { unknown },
    });
    return 0;
  });
}

function refuse({ root, tree }: ProjectSession, force: boolean): void {
  const kind = pathKindSync(path.join(root, PROJECT_FILE));
  if (kind === "folder" || kind === "other")
    throw new NotARegularFileError(PROJECT_FILE, kind === "folder" ? "a folder" : "not a regular file");
  if (kind !== "absent" && !force) {
    throw new RestoreRefusedError(`cannot restore PROJECT: ${root} has the file`, {
      hint: "run `npx scaffold doctor` to compare it with the project, or pass --force to overwrite it",
    });
  }
  const missing = PROJECT_TRACES.filter((file) => !tree.exists(file));
  if (missing.length === 0) return;
  throw new RestoreRefusedError(
    `cannot restore PROJECT: ${root} is not a project: it has no ${missing.join(" and no ")}`,
    {
      hint: "change to the root folder of the project, or run `npx kubescaffold init` to start one",
    },
  );
}

async function restored(
  { program }: Invocation,
  { root, tree }: ProjectSession,
): Promise<{ readonly project: ProjectConfig; readonly unknown: readonly string[] }> {
  const registry = await program.registry();
  const { keys } = resolvePlugins(registry, [registry.defaultKey]);
  const bundled = registry.bundles.flatMap((bundle) => bundle.plugins);
  const { project, unknown } = restoreProject(tree, {
    layout: keys,
    plugins: [...new Set([...registry.plugins, ...bundled])],
    version: program.version,
    folder: path.basename(root),
  });
  // Names that no flag would accept are reported with their places.
  return { project: parseProject(printProject(project)), unknown };
}
