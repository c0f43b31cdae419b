import { copiedFiles } from "../../../changes/copied-files.ts";
import { outputSteps } from "../../../changes/next-steps.ts";
import { planRemoval, type RemovalFinding } from "../../../changes/plan-removal.ts";
import { partsOf, type ProjectPart, type ReplayOptions, replayParts } from "../../../changes/replay.ts";
import { unmarkStorageVersion } from "../../../changes/storage-version.ts";
import { isOfWebhookHistory } from "../../../changes/webhook-histories.ts";
import type { FileTree } from "../../../machinery/file-tree.ts";
import {
  type DeleteRequest,
  type PlannedDelete,
  planDeleteApi,
  planDeleteWebhook,
  withoutResource,
} from "../../../project/plans/plan-delete.ts";
import { PROJECT_FILE, type ProjectConfig } from "../../../project/project-config.ts";
import { namesOf, versionsOfKind } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command/command.ts";
import { ChangedFilesError } from "../../command/errors.ts";
import { forgetApply, makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import { loadProject, withProjectSession, pluginsToReplay } from "../../session/project-session.ts";

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
}

/** Takes an API, or one of its controllers, out of the project in the working folder. */
export function runDeleteApi(
  { controllerName, ...options }: DeleteApiOptions,
  invocation: Invocation,
): Promise<number> {
  return runDelete(options, invocation, (project, request) => planDeleteApi(project, { ...request, controllerName }));
}

/** Webhooks to delete. */
export interface DeleteWebhookOptions extends DeletingOptions {
  /** The types of webhooks to delete; all unless one is set. */
  readonly webhooks: Omit<Parameters<typeof planDeleteWebhook>[1], keyof DeleteRequest>;
}

/** Takes webhooks of an API out of the project in the working folder. */
export function runDeleteWebhook(
  { webhooks, ...options }: DeleteWebhookOptions,
  invocation: Invocation,
): Promise<number> {
  return runDelete(options, invocation, (project, request) => planDeleteWebhook(project, { ...request, ...webhooks }));
}

type Plan = (project: ProjectConfig, request: DeleteRequest) => PlannedDelete;

function runDelete(
  { request, force, makesManifests }: DeletingOptions,
  invocation: Invocation,
  plan: Plan,
): Promise<number> {
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const planned = plan(previous, request);
    const project = withoutResource(previous, planned);
    const { tree } = session;
    const { plugins, keys } = await pluginsToReplay(invocation, previous);
    const replay = { plugins, chain: keys, tree };
    const parts = partsThatGo(previous, project);
    const removed = await replayParts(parts, { ...replay, project: previous });
    const kept = await replayParts(partsOf(project), { ...replay, project });
    // What scaffolds wrote before the kind had another version has no mark.
    if (planned.after === undefined) await unmarkStorageVersion(tree, previous, planned.before);
    const present = new Map([...removed.files.keys()].map((file) => [file, tree.read(file) ?? ""]));
    const isCopy = copiesIn(tree, previous, planned);
    const found = planRemoval({ tree, removed, kept }).filter(
      ({ path, kind }) => kind !== "changed file" || !isCopy(path, present.get(path) ?? ""),
    );
    const histories = { present, parts, options: { ...replay, project: previous } };
    const remade = await remakeUnchanged(tree, { ...histories, planned, left: { ...replay, project } });
    const changed = found.filter((each) => !remade.includes(each.path));
    const findings = await withoutHistories(changed, histories);
    if (!force && !dry) refuseChanged(findings);
    await confirmReplacing(invocation, {
      actions: tree.actions(),
      paths: findings.map((each) => each.path),
      verb: "Delete",
    });
    tree.update(PROJECT_FILE, () => document.print(project));
    await forgetStorageVersion(tree, { project, planned });
    forgetGenerated(tree, { previous, project, planned, keptFiles: kept.files });
    const unmade = makesManifests ? await makeManifests(invocation, session, project) : [];
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    const left = findings.map((each) => describeFinding(each, tree));
    const next = await outputSteps(invocation, { project, tree });
    reportOutcome(invocation, { actions, notes: [...left, ...unmade], next });
    return 0;
  });
}

function partsThatGo(previous: ProjectConfig, project: ProjectConfig): readonly ProjectPart[] {
  const staying = new Set(partsOf(project).map((part) => partKey(part)));
  return partsOf(previous).filter((part) => !staying.has(partKey(part)));
}

function partKey(part: ProjectPart): string {
  if (part.kind === "init") return part.kind;
  const { group = "", domain = "", version, kind, webhooks } = part.resource;
  const detail = part.kind === "controller" ? part.name : part.kind === "webhook" ? webhooks : undefined;
  return JSON.stringify([part.kind, group, domain, version, kind, detail]);
}

// What another version of the kind has, too, is not lost: `create api --from` copied it.
function copiesIn(
  tree: FileTree,
  project: ProjectConfig,
  { before, after }: PlannedDelete,
): (path: string, text: string) => boolean {
  const { group, domain, kind } = before;
  const others = (project.resources ?? []).filter(
    (each) =>
      each !== before && each.api !== undefined && each.group === group && each.domain === domain && each.kind === kind,
  );
  const copies =
    after === undefined ? others.map((source) => copiedFiles(tree, project, { source, resource: before })) : [];
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

function refuseChanged(findings: readonly RemovalFinding[]): void {
  if (findings.length === 0) return;
  throw new ChangedFilesError(
    findings.map(({ path, kind }) => (kind === "changed file" ? path : `${path} (lines of it were changed or moved)`)),
  );
}

function describeFinding({ path, kind, lines }: RemovalFinding, tree: FileTree): string {
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
