import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { removedStoredVersions } from "../../../changes/storage-version.ts";
import { restoreHint } from "../../../doctor/stored-versions.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import type { ProjectConfig } from "../../../project/project-config.ts";
import { readDefinitions } from "../../cluster/read-definitions.ts";
import type { Invocation } from "../../command/command.ts";
import { VersionInUseError } from "../../command/errors.ts";
import type { SelectedCluster } from "../../flags/cluster-flags.ts";
import { compareDefinitions, findFormerDefinitions } from "../../generating/compare-definitions.ts";
import type { OptionChanges } from "../../generating/generator-options.ts";
import { loadProject, type ProjectSession, withProjectSession } from "../../session/project-session.ts";
import { projectKinds } from "../migrate-storage/select-definitions.ts";

/** What is compared, and how. */
export interface CompatOptions {
  /** A commit, branch, or tag, a folder with CRDs, or a cluster. */
  readonly former: string | SelectedCluster;
  /** Whether warnings are errors. */
  readonly isStrict: boolean;
  /** Changes of the options of generators. */
  readonly options: OptionChanges;
}

/**
 * Compares the CRDs of the project in the working folder with those of an earlier version or of a cluster.
 *
 * Fails: `GenerateFailedError` after the findings; `VersionInUseError` for a version that was removed although PROJECT records that objects may be stored in it.
 */
export async function runCompat(options: CompatOptions, invocation: Invocation): Promise<number> {
  return await withProjectSession(invocation, { isDryRun: true }, async (session) => {
    const { project } = loadProject(session);
    refuseRemoved(session.tree, project);
    const { former } = options;
    return typeof former === "string"
      ? await compareWithRevision(former, { options, invocation, session })
      : await compareWithCluster(former, { options, invocation, session });
  });
}

function refuseRemoved(tree: FileTree, project: ProjectConfig): void {
  const [removed] = removedStoredVersions(tree, project);
  if (removed === undefined) return;
  const reason = "PROJECT records that objects may be stored in it, and API servers refuse a CRD without it";
  throw new VersionInUseError(`${removed.version} of ${removed.kind}`, reason, restoreHint(removed));
}

interface Comparing {
  readonly options: CompatOptions;
  readonly invocation: Invocation;
  readonly session: ProjectSession;
}

async function compareWithRevision(from: string, { options, invocation, session }: Comparing): Promise<number> {
  const { root, tree } = session;
  const former = await findFormerDefinitions(root, from);
  if (former === undefined) {
    invocation.terminal.writeOut(`nothing to compare: ${from} has no CRDs in config/crd/bases\n`);
    return 0;
  }
  await compareDefinitions(invocation, { ...options, root, tree, former });
  invocation.terminal.writeOut(`no change since ${from} breaks stored objects or clients\n`);
  return 0;
}

async function compareWithCluster(
  cluster: SelectedCluster,
  { options, invocation, session }: Comparing,
): Promise<number> {
  const { root, tree } = session;
  const names = projectKinds(root).map(({ crd }) => crd);
  const installed = await readDefinitions(cluster, names);
  if (installed.length === 0) {
    invocation.terminal.writeOut("nothing to compare: the cluster has no CRDs of the project\n");
    return 0;
  }
  const folder = mkdtempSync(path.join(tmpdir(), "kubescaffold-crds-"));
  try {
    for (const crd of installed) writeFileSync(path.join(folder, `${crd.metadata.name}.json`), JSON.stringify(crd));
    await compareDefinitions(invocation, { ...options, root, tree, former: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  invocation.terminal.writeOut("no difference to the CRDs of the cluster breaks stored objects or clients\n");
  return 0;
}
