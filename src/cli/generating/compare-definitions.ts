import path from "node:path";

import { type Diagnostic, renderDiagnostics } from "@kubescaffold/generators/diagnostics";

import { hasManifests } from "../../git/git.ts";
import { pathKindSync } from "../../machinery/disk.ts";
import type { FileTree } from "../../machinery/file-tree.ts";
import type { Invocation } from "../command/command.ts";
import { GenerateFailedError } from "../command/errors.ts";
import { withCall } from "../output/report-outcome.ts";
import { shownPath } from "../session/project-folder.ts";
import { type GenerateRequest, planGenerated } from "./generate-manifests.ts";
import type { OptionChanges } from "./generator-options.ts";
import { compatArguments } from "./project-arguments.ts";

const DEFINITIONS = "config/crd/bases";

/**
 * Returns an earlier version for `crd:compat`: a folder or a file as it is, a commit with the folder of the CRDs.
 *
 * Returns undefined for a commit without CRDs, with which there is nothing to compare; one that git does not know is left to `crd:compat`, which reports it.
 */
export async function findFormerDefinitions(root: string, from: string): Promise<string | undefined> {
  if (from.includes(":") || pathKindSync(path.resolve(root, from)) !== "absent") return from;
  const found = await hasManifests(root, { revision: from, folder: DEFINITIONS });
  return found === false ? undefined : `${from}:${DEFINITIONS}`;
}

/** What is compared. */
interface Comparison extends Pick<GenerateRequest, "root" | "tree" | "isStrict" | "report"> {
  readonly former: string;
  readonly options: OptionChanges;
}

// The others are about the earlier version, which could not be read.
const FINDING = /^COMPAT_(?!FORMER_|NO_FOLDER$)/u;

/** Compares the CRDs of the sources with an earlier version, and plans nothing. Fails: `GenerateFailedError` after the findings were reported. */
export async function compareDefinitions(
  invocation: Invocation,
  { tree, former, options, ...rest }: Comparison,
): Promise<void> {
  const hint = (errors: readonly Diagnostic[]): string =>
    errors.some(({ code }) => FINDING.test(code))
      ? "fix the errors above, serve a new version, or accept a finding with crd:relax"
      : "fix the errors above; nothing was compared";
  // HEAD names another commit tomorrow.
  await planGenerated(invocation, {
    ...rest,
    tree,
    args: compatArguments(tree, options, former),
    hint,
    usesCache: false,
  });
}

/**
 * Warns of changes of CRDs that break stored objects or clients, if the plan changes a CRD: the earlier version is the last commit.
 *
 * Prints nothing outside of a repository, and before the first commit with CRDs.
 */
export async function warnOfBreakingChanges(
  invocation: Invocation,
  { root, tree, options }: { readonly root: string; readonly tree: FileTree; readonly options: OptionChanges },
): Promise<void> {
  if (!tree.actions().some((action) => action.path.startsWith(`${DEFINITIONS}/`))) return;
  if ((await hasManifests(root, { revision: "HEAD", folder: DEFINITIONS })) !== true) return;
  const breaking = await findBreakingChanges(invocation, { root, tree, options, former: `HEAD:${DEFINITIONS}` });
  if (breaking.length === 0) return;
  const shown = renderDiagnostics(breaking, (file) => shownPath(invocation, file));
  const note = "note: compared with the last commit; `npx scaffold compat` fails for these changes";
  const { packageManager } = invocation.program;
  invocation.terminal.writeError(`${shown}\n${withCall(note, { packageManager })}\n`);
}

async function findBreakingChanges(invocation: Invocation, comparison: Comparison): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  try {
    await compareDefinitions(invocation, { ...comparison, report: (diagnostics) => void found.push(...diagnostics) });
  } catch (error) {
    if (!(error instanceof GenerateFailedError)) throw error;
  }
  return found
    .filter(({ code, severity }) => code.startsWith("COMPAT_") && severity === "error")
    .map((each) => ({ ...each, severity: "warning" }));
}
