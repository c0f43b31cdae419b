import type { FileTree } from "../machinery/file-tree.ts";
import {
  type DeleteRequest,
  type PlannedDelete,
  planDeleteApi,
  planDeleteWebhook,
  withoutResource,
} from "../project/plan-delete.ts";
import { PROJECT_FILE, type ProjectConfig } from "../project/project-config.ts";
import { printProject } from "../project/project-file.ts";
import { namesOf } from "../project/resource-names.ts";
import { STORAGE_VERSION } from "../project/storage-version.ts";
import type { Invocation } from "./command.ts";
import { ChangedFilesError } from "./errors.ts";
import { switchFlag, textFlag } from "./flag-values.ts";
import { makeManifests } from "./make-manifests.ts";
import { planRemoval, type RemovalFinding } from "./plan-removal.ts";
import { loadProject, withProjectSession } from "./project-session.ts";
import { partsOf, type ProjectPart, replayParts } from "./replay.ts";
import { isDryRun, reportOutcome } from "./report-outcome.ts";
import { pluginsToReplay } from "./run-scaffolds.ts";

/** Takes an API, or one of its controllers, out of the project in the working folder. */
export function runDeleteApi(invocation: Invocation): Promise<number> {
  const controllerName = textFlag(invocation.flags, "controller-name");
  return runDelete(invocation, (project, request) => planDeleteApi(project, { ...request, controllerName }));
}

/** Takes the webhooks of an API out of the project in the working folder. */
export function runDeleteWebhook(invocation: Invocation): Promise<number> {
  return runDelete(invocation, planDeleteWebhook);
}

type Plan = (project: ProjectConfig, request: DeleteRequest) => PlannedDelete;

function runDelete(invocation: Invocation, plan: Plan): Promise<number> {
  const { flags } = invocation;
  const request = {
    group: textFlag(flags, "group", { mayBeEmpty: true }) ?? "",
    version: textFlag(flags, "version") ?? "",
    kind: textFlag(flags, "kind") ?? "",
  };
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, text } = loadProject(session);
    const planned = plan(previous, request);
    const project = withoutResource(previous, planned);
    const { tree } = session;
    const { plugins, keys } = await pluginsToReplay(invocation, previous);
    const replay = { plugins, chain: keys, tree };
    const removed = await replayParts(partsThatGo(previous, project), { ...replay, project: previous });
    const kept = await replayParts(partsOf(project), { ...replay, project });
    const findings = planRemoval({ tree, removed, kept });
    refuseChanged(invocation, findings);
    tree.update(PROJECT_FILE, () => printProject(project, text));
    await forgetStorageVersion(tree, { previous, planned });
    forgetGenerated(tree, { previous, project, planned, initFiles: kept.files });
    await makeManifests(invocation, session);
    const actions = tree.actions();
    if (!dry) await session.commit(actions);
    reportOutcome(invocation, { actions, notes: findings.map((each) => describeFinding(each, tree)) });
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

function refuseChanged({ flags }: Invocation, findings: readonly RemovalFinding[]): void {
  if (findings.length === 0 || switchFlag(flags, "force") === true || switchFlag(flags, "dry-run") === true) return;
  throw new ChangedFilesError(
    findings.map(({ path, kind }) => (kind === "changed file" ? path : `${path} (lines of it were changed or moved)`)),
  );
}

function describeFinding({ path, kind, lines }: RemovalFinding, tree: FileTree): string {
  if (kind === "changed file") return `${path} had been changed since it was made; it is deleted all the same.`;
  const where = tree.exists(path) ? `Take these lines out of ${path} by hand` : path;
  return `${where}, where they were not found as they were inserted:\n${lines.map((line) => `  ${line}`).join("\n")}`;
}

interface Forgetting {
  readonly previous: ProjectConfig;
  readonly project: ProjectConfig;
  readonly planned: PlannedDelete;
  readonly initFiles: ReadonlyMap<string, string>;
}

// A version is marked as the one that is stored when it becomes the hub of a conversion.
async function forgetStorageVersion(
  tree: FileTree,
  { previous, planned }: Pick<Forgetting, "previous" | "planned">,
): Promise<void> {
  const { before, after } = planned;
  if (before.webhooks?.conversion !== true || after === undefined || after.webhooks?.conversion === true) return;
  const names = namesOf(previous, before);
  const types = `${names.apiFolder}/${names.kindLower}_types.ts`;
  const text = tree.read(types);
  if (text === undefined) return;
  const { removeTypeMarker } = await import("../machinery/type-markers.ts");
  const changed = removeTypeMarker(text, { type: names.kind, marker: STORAGE_VERSION });
  if (changed !== undefined) tree.update(types, () => changed);
}

// Generators write what there is; what there is no longer has to be taken away.
function forgetGenerated(tree: FileTree, { previous, project, planned, initFiles }: Forgetting): void {
  const names = namesOf(previous, planned.before);
  const isLastVersion = !(project.resources ?? []).some(
    (each) => each.api !== undefined && namesOf(project, each).crdBase === names.crdBase,
  );
  if (planned.before.api !== undefined && isLastVersion) deleteIfThere(tree, `config/crd/bases/${names.crdBase}`);
  const hasTypes = (project.resources ?? []).some(
    (each) => each.api !== undefined && namesOf(project, each).apiFolder === names.apiFolder,
  );
  if (!hasTypes) deleteIfThere(tree, `${names.apiFolder}/zz_generated.schema.ts`);
  if (!(project.resources ?? []).some((each) => each.webhooks !== undefined))
    deleteIfThere(tree, "config/webhook/manifests.yaml");
  const role = initFiles.get(ROLE);
  const hasControllers = (project.resources ?? []).some(
    (each) => each.controller === true || each.controllers !== undefined,
  );
  if (!hasControllers && role !== undefined && tree.exists(ROLE)) tree.update(ROLE, () => role);
}

const ROLE = "config/rbac/role.yaml";

function deleteIfThere(tree: FileTree, path: string): void {
  if (tree.exists(path)) tree.delete(path);
}
