import { outputSteps } from "../../../changes/next-steps.ts";
import { markUnserved } from "../../../changes/storage-version.ts";
import { PROJECT_FILE } from "../../../project/project-config.ts";
import { crdNameOf, typesFile } from "../../../project/resource-names.ts";
import { UNSERVED_VERSION, withStoredVersion } from "../../../project/storage-version.ts";
import { DEFAULT_RATE } from "../../cluster/migrate-crd.ts";
import type { Invocation } from "../../command/command.ts";
import { VersionInUseError } from "../../command/errors.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { announce, reportOutcome, withCall } from "../../output/report-outcome.ts";
import { loadProject, type ProjectSession } from "../../session/project-session.ts";
import { migrateKinds } from "../migrate-storage/run-migrate-storage.ts";
import { migrationCommand, removalCommand, type VersionRemoval } from "./due-step.ts";
import { noteNaming } from "./files-naming.ts";

/**
 * Does the first step of a removal: marks a version as not served, and records in PROJECT that objects may be stored in it.
 *
 * Fails: {@link VersionInUseError} if the types are not where commands put them.
 */
export async function stopServing(
  removal: VersionRemoval,
  {
    invocation,
    session,
    makesManifests,
  }: { readonly invocation: Invocation; readonly session: ProjectSession; readonly makesManifests: boolean },
): Promise<number> {
  const { tree, project: previous, resource } = removal;
  const { kind, version } = resource;
  const types = typesFile(previous, resource);
  if (!(await markUnserved(tree, previous, resource))) {
    throw new VersionInUseError(
      `${version} of ${kind}`,
      "it is served",
      `add ${UNSERVED_VERSION} to the comment of ${kind} in its types, which are not in ${types}, or pass --not-stored if no cluster stores objects in it`,
    );
  }
  const { document } = loadProject(session);
  const project = withStoredVersion(previous, resource);
  tree.update(PROJECT_FILE, () => document.print(project));
  const unmade = makesManifests ? await makeManifests(invocation, session, project) : [];
  const actions = tree.actions();
  if (!invocation.isDryRun) await session.commit(actions);
  const naming = noteNaming(tree, { previous, project, gone: resource });
  reportOutcome(invocation, {
    actions,
    notes: [explanation(removal, "stop serving"), ...naming, ...unmade],
    next: [
      ...(await outputSteps(invocation, { project, tree })),
      "npx scaffold deploy    # or npx scaffold install: API servers stop serving the version",
      `${migrationCommand(removal)}    # in every cluster`,
      `${removalCommand(removal)}    # ${removal.cluster === undefined ? "with --context, or --not-stored" : "removes the version"}`,
    ],
    details: { step: "stop-serving" },
  });
  return 0;
}

/** Does the second step: rewrites the objects of the cluster in the storage version. Returns the exit status. */
export async function migrateVersion(removal: VersionRemoval, invocation: Invocation): Promise<number> {
  announce(invocation, explanation(removal, "migrate"));
  const words = [crdNameOf(removal.project, removal.resource)];
  const next = withCall(removalCommand(removal), invocation.program);
  const details = { step: "migrate", next: [next] };
  const status = await migrateKinds({ cluster: removal.cluster ?? {}, rate: DEFAULT_RATE }, invocation, {
    words,
    details,
  });
  if (status === 0 && !invocation.printsJson) invocation.terminal.writeOut(`\nNext:\n  ${next}\n`);
  return status;
}

const STEPS = {
  "stop serving": "stop serving it, while the change can be reverted",
  migrate: "migrate the stored objects, in every cluster",
  remove: "remove it",
} as const;

function explanation({ resource }: VersionRemoval, done: keyof typeof STEPS): string {
  const { kind, version } = resource;
  const steps = Object.entries(STEPS).map(
    ([step, text], index) => `  ${index + 1}. ${text}${step === done ? " (this step)" : ""}`,
  );
  return `${version} of ${kind} is removed in three steps:\n${steps.join("\n")}`;
}
