import { copiedFiles } from "../../../changes/copied-files.ts";
import { outputSteps } from "../../../changes/next-steps.ts";
import { planRemoval, type RemovalFinding } from "../../../changes/plan-removal.ts";
import { partsOf, type ProjectPart, type ReplayOptions, replayParts } from "../../../changes/replay.ts";
import { liftVersionMarks, unmarkStorageVersion } from "../../../changes/storage-version.ts";
import { isOfWebhookHistory } from "../../../changes/webhook-histories.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import {
  type DeleteRequest,
  type PlannedDelete,
  planDeleteApi,
  planDeleteWebhook,
  planHubWithoutSpoke,
  withoutResource,
} from "../../../project/plans/plan-delete.ts";
import { refuseReadByPlugin } from "../../../project/plans/plan-kubectl-plugin.ts";
import { PROJECT_FILE, type ProjectConfig, type ProjectResource } from "../../../project/project-config.ts";
import { namesOf, versionsOfKind } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command/command.ts";
import { ChangedFilesError } from "../../command/errors.ts";
import type { SelectedCluster } from "../../flags/cluster-flags.ts";
import { forgetApply, makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import {
  loadProject,
  type ProjectSession,
  withProjectSession,
  pluginsToReplay,
} from "../../session/project-session.ts";
import { dueStep } from "./due-step.ts";
import { noteNaming } from "./files-naming.ts";
import { migrateVersion, stopServing } from "./version-steps.ts";

/** What is deleted of a kind, and how. */
export interface DeletingOptions {
  readonly request: DeleteRequest;
  /** Whether files that were changed since they were scaffolded are deleted, too. */
  readonly force: boolean;
  /** Whether the manifests are regenerated. */
  readonly makesManifests: boolean;
}

/** An API to delete, or one of its controllers. */
export interface DeleteApiOptions extends DeletingOptions {
  /** The only controller to delete; all, and the types, unless given. */
  readonly controllerName: string | undefined;
  /** The cluster whose CRD tells which versions are stored. */
  readonly cluster: SelectedCluster | undefined;
  /** Whether the user states that no cluster stores objects in the version. */
  readonly isNotStored: boolean;
}

/**
 * Removes an API, or one of its controllers, from the project in the working folder; of a version among several, the command does the step that is due.
 *
 * Fails: as {@link dueStep}.
 */
export async function runDeleteApi(
  { controllerName, cluster, isNotStored, ...options }: DeleteApiOptions,
  invocation: Invocation,
): Promise<number> {
  const { request, makesManifests } = options;
  const done = await withProjectSession(invocation, { isDryRun: invocation.isDryRun }, async (session) => {
    const { project } = loadProject(session);
    const { before } = planDeleteApi(project, { ...request, controllerName });
    if (controllerName === undefined) refuseReadByPlugin(project, before);
    const removal = { tree: session.tree, project, resource: before, cluster, isNotStored };
    const step = controllerName === undefined ? await dueStep(removal) : "remove";
    if (step === "migrate") return removal;
    if (step === "stop serving") return await stopServing(removal, { invocation, session, makesManifests });
    return await runDelete(options, { invocation, session }, (previous) => {
      const planned = planDeleteApi(previous, { ...request, controllerName });
      const hub = planned.after === undefined ? planHubWithoutSpoke(previous, planned.before) : undefined;
      return [...(hub === undefined ? [] : [hub]), planned];
    });
  });
  // The objects of a cluster are no part of the project, which others may change meanwhile.
  return typeof done === "number" ? done : await migrateVersion(done, invocation);
}

/** Webhooks to delete. */
export interface DeleteWebhookOptions extends DeletingOptions {
  /** The types of webhooks to delete; all unless one is set. */
  readonly webhooks: Omit<Parameters<typeof planDeleteWebhook>[1], keyof DeleteRequest>;
}

/** Removes webhooks of an API from the project in the working folder. */
export async function runDeleteWebhook(
  { webhooks, ...options }: DeleteWebhookOptions,
  invocation: Invocation,
): Promise<number> {
  return await withProjectSession(invocation, { isDryRun: invocation.isDryRun }, (session) =>
    runDelete(options, { invocation, session }, (project) => [
      planDeleteWebhook(project, { ...options.request, ...webhooks }),
    ]),
  );
}

type Plan = (project: ProjectConfig) => readonly PlannedDelete[];

interface Deleting {
  readonly invocation: Invocation;
  readonly session: ProjectSession;
}

async function runDelete(
  { force, makesManifests }: DeletingOptions,
  { invocation, session }: Deleting,
  plan: Plan,
): Promise<number> {
  const dry = invocation.isDryRun;
  const { project: previous, document } = loadProject(session);
  const planned = plan(previous);
  const project = planned.reduce((left, each) => withoutResource(left, each), previous);
  const { tree } = session;
  const { plugins, keys } = await pluginsToReplay(invocation, previous);
  const replay = { plugins, chain: keys, tree };
  const parts = partsThatGo(previous, project);
  const removed = await replayParts(parts, { ...replay, project: previous });
  const kept = await replayParts(partsOf(project), { ...replay, project });
  const gone = planned.flatMap(({ before, after }) => (after === undefined ? [before] : []));
  // What scaffolds wrote before the kind had another version has no mark.
  for (const each of gone) await unmarkStorageVersion(tree, previous, each);
  await liftVersionMarks(tree, previous, gone);
  const present = new Map([...removed.files.keys()].map((file) => [file, tree.read(file) ?? ""]));
  const isCopy = copiesIn(tree, previous, gone);
  const found = planRemoval({ tree, removed, kept }).filter(
    ({ path, kind }) => kind !== "changed file" || !isCopy(path, present.get(path) ?? ""),
  );
  const histories = { present, parts, options: { ...replay, project: previous } };
  const remade: string[] = [];
  for (const each of planned) {
    remade.push(...(await remakeUnchanged(tree, { ...histories, planned: each, left: { ...replay, project } })));
  }
  const changed = found.filter((each) => !remade.includes(each.path));
  const findings = await withoutHistories(changed, histories);
  if (!force && !dry) refuseChanged(findings);
  await confirmReplacing(invocation, {
    actions: tree.actions(),
    paths: findings.map((each) => each.path),
    verb: "Delete",
  });
  tree.update(PROJECT_FILE, () => document.print(project));
  for (const each of planned) {
    await forgetStorageVersion(tree, { project, planned: each });
    forgetGenerated(tree, { previous, project, planned: each, keptFiles: kept.files });
  }
  const unmade = makesManifests ? await makeManifests(invocation, session, project) : [];
  const actions = tree.actions();
  if (!dry) await session.commit(actions);
  const left = findings.map((each) => describeFinding(each, tree));
  const naming = gone.flatMap((each) => noteNaming(tree, { previous, project, gone: each }));
  const next = await outputSteps(invocation, { project, tree });
  reportOutcome(invocation, { actions, notes: [...left, ...naming, ...unmade], next });
  return 0;
}

function partsThatGo(previous: ProjectConfig, project: ProjectConfig): readonly ProjectPart[] {
  const staying = new Set(partsOf(project).map((part) => partKey(part)));
  return partsOf(previous).filter((part) => !staying.has(partKey(part)));
}

function partKey(part: ProjectPart): string {
  if (part.kind === "init") return part.kind;
  if (part.kind === "kubectl-plugin") return JSON.stringify([part.kind, part.name]);
  const { group = "", domain = "", version, kind, webhooks } = part.resource;
  const detail = part.kind === "controller" ? part.name : part.kind === "webhook" ? webhooks : undefined;
  return JSON.stringify([part.kind, group, domain, version, kind, detail]);
}

// What another version of the kind has, too, is not lost: `create api --from` copied it.
function copiesIn(
  tree: FileTree,
  project: ProjectConfig,
  gone: readonly ProjectResource[],
): (path: string, text: string) => boolean {
  const copies = gone.flatMap((resource) =>
    versionsOfKind(project, resource)
      .filter((source) => source !== resource)
      .map((source) => copiedFiles(tree, project, { source, resource })),
  );
  return (path, text) => copies.some((files) => files.get(path) === text);
}

interface Histories {
  /** The texts of the files before they were deleted. */
  readonly present: ReadonlyMap<string, string>;
  readonly parts: readonly ProjectPart[];
  readonly options: ReplayOptions;
}

// What commands added one after the other differs from what is made at once, and yet nobody changed it.
async function withoutHistories(
  findings: readonly RemovalFinding[],
  { present, parts, options }: Histories,
): Promise<readonly RemovalFinding[]> {
  const resources = parts.flatMap((part) => (part.kind === "webhook" ? [part.resource] : []));
  const left: RemovalFinding[] = [];
  for (const finding of findings) {
    const text = present.get(finding.path) ?? "";
    const isOwn =
      finding.kind === "changed file" && (await isOfWebhookHistory({ path: finding.path, text }, resources, options));
    if (!isOwn) left.push(finding);
  }
  return left;
}

// A file that nobody changed becomes what it would be if it had never had what goes.
async function remakeUnchanged(
  tree: FileTree,
  { present, options, planned, left }: Histories & { readonly planned: PlannedDelete; readonly left: ReplayOptions },
): Promise<readonly string[]> {
  const { before, after } = planned;
  if (before.webhooks === undefined || after?.webhooks === undefined) return [];
  const { files } = await replayParts([{ kind: "webhook", resource: after }], left);
  const remade: string[] = [];
  for (const [path, content] of files) {
    const text = present.get(path) ?? "";
    if (text === "" || !(await isOfWebhookHistory({ path, text }, [before], options))) continue;
    tree.update(path, () => content);
    remade.push(path);
  }
  return remade;
}

/** Refuses to delete what was changed by hand. Fails: {@link ChangedFilesError}. */
export function refuseChanged(findings: readonly RemovalFinding[]): void {
  if (findings.length === 0) return;
  throw new ChangedFilesError(
    findings.map(({ path, kind }) => (kind === "changed file" ? path : `${path} (lines of it were changed or moved)`)),
  );
}

/** Describes what was deleted although it was changed by hand, and what could not be. */
export function describeFinding({ path, kind, lines }: RemovalFinding, tree: FileTree): string {
  if (kind === "changed file") return `${path} was changed since it was scaffolded; it was deleted anyway.`;
  const where = tree.exists(path) ? `Remove these lines from ${path} by hand` : path;
  return `${where}, because they were changed or moved:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

interface Forgetting {
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  readonly planned: PlannedDelete;
  readonly keptFiles: ReadonlyMap<string, string>;
}

// The only version of a kind needs no mark.
async function forgetStorageVersion(
  tree: FileTree,
  { project, planned }: Pick<Forgetting, "project" | "planned">,
): Promise<void> {
  const [version, ...others] = versionsOfKind(project, planned.before);
  if (version !== undefined && others.length === 0) await unmarkStorageVersion(tree, project, version);
}

// Generators write what there is; what there is no longer has to be removed.
function forgetGenerated(tree: FileTree, { previous, project, planned, keptFiles }: Forgetting): void {
  const names = namesOf(previous, planned.before);
  const isLastVersion = !(project.resources ?? []).some(
    (each) => each.api !== undefined && namesOf(project, each).crdBase === names.crdBase,
  );
  if (planned.before.api !== undefined && isLastVersion) deleteIfThere(tree, `config/crd/bases/${names.crdBase}`);
  const hasTypes = (project.resources ?? []).some(
    (each) => each.api !== undefined && namesOf(project, each).apiFolder === names.apiFolder,
  );
  if (!hasTypes) deleteIfThere(tree, `${names.apiFolder}/zz_generated.schema.ts`);
  if (planned.before.api !== undefined) forgetApply(tree, project, planned.before);
  forgetConversions(tree, { previous, planned });
  forgetWebhookManifests(tree, { project, keptFiles });
  const role = keptFiles.get(ROLE);
  const hasControllers = (project.resources ?? []).some(
    (each) => each.controller === true || each.controllers !== undefined,
  );
  if (!hasControllers && role !== undefined && tree.exists(ROLE)) tree.update(ROLE, () => role);
}

// A spoke that is no longer converted has no functions.
function forgetConversions(tree: FileTree, { previous, planned }: Pick<Forgetting, "previous" | "planned">): void {
  const { before, after } = planned;
  const left = after?.webhooks?.spoke ?? [];
  for (const version of before.webhooks?.spoke ?? []) {
    const { apiFolder, kindLower } = namesOf(previous, { ...before, version });
    if (!left.includes(version)) deleteIfThere(tree, `${apiFolder}/zz_generated.${kindLower}_conversion.ts`);
  }
}

const ROLE = "config/rbac/role.yaml";
const WEBHOOKS = "config/webhook/manifests.yaml";

// Where some convert still, kustomize wants the file to be there.
function forgetWebhookManifests(
  tree: FileTree,
  { project, keptFiles }: Pick<Forgetting, "keptFiles" | "project">,
): void {
  const left = (project.resources ?? []).flatMap((each) => each.webhooks ?? []);
  if (left.some((each) => each.defaulting === true || each.validation === true)) return;
  const placeholder = keptFiles.get(WEBHOOKS);
  if (placeholder === undefined) deleteIfThere(tree, WEBHOOKS);
  else tree.create(WEBHOOKS, placeholder, { ifExists: "overwrite" });
}

function deleteIfThere(tree: FileTree, path: string): void {
  if (tree.exists(path)) tree.delete(path);
}
