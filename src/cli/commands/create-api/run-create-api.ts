import { checkCoreKind } from "../../../changes/check-core-kind.ts";
import { installSteps, outputSteps } from "../../../changes/next-steps.ts";
import { planApi } from "../../../project/plans/plan-api.ts";
import { controlledVersion } from "../../../project/plans/plan-controllers.ts";
import { requireExternalFile } from "../../../project/plans/plan-external.ts";
import {
  PROJECT_FILE,
  type ProjectConfig,
  type ProjectResource,
  versionsWithTypes,
  withResource,
} from "../../../project/project-config.ts";
import { typesFile } from "../../../project/resource-names.ts";
import { NO_SOURCE } from "../../../project/version-records.ts";
import type { Invocation } from "../../command/command.ts";
import { forgetApply, makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import {
  loadProject,
  withProjectSession,
  pluginsFor,
  type ProjectSession,
  runScaffolds,
} from "../../session/project-session.ts";
import type { AnotherVersion, PlannedVersion } from "./another-version.ts";
import type { VersionCopy } from "./copy-version.ts";
import type { forgetOtherPlugins } from "./forget-other-plugins.ts";

/** A kind to add to the project, or another version of one. */
export interface CreateApiOptions {
  readonly request: Omit<Parameters<typeof planApi>[1], "resource" | "controller">;
  /** Whether the types are written; undefined where nothing says so. */
  readonly resource: boolean | undefined;
  readonly controller: boolean | undefined;
  /** The version whose fields the new one gets. */
  readonly from: string | undefined;
  /** Whether a plugin writes the types and the controller for an image. */
  readonly hasImage: boolean;
  /** Whether the plugins are others than those of the project. */
  readonly choosesPlugins: boolean;
  /** Whether the manifests are generated. */
  readonly makesManifests: boolean;
}

/** Adds an API to the project in the working folder. */
export function runCreateApi(options: CreateApiOptions, invocation: Invocation): Promise<number> {
  const { request } = options;
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const others = versionsWithTypes(previous, request).filter(({ version }) => version !== request.version);
    const parts = partsOf(options, controlledVersion(others) !== undefined);
    const newest = parts.resource ? newestSource(options, session, previous) : undefined;
    const copy = await copyOf(options, previous, newest);
    const { resource, controllerName } = planApi(previous, {
      ...request,
      ssa: request.ssa ?? copy?.source.api?.ssa,
      ...parts,
    });
    requireExternalFile(request, (file) => session.tree.exists(file));
    if (resource.core === true) await checkCoreKind(previous, resource);
    const plugins = await pluginsFor(invocation, withResource(previous, resource));
    const version = await versionOf(invocation, session, { previous, parts, resource, others, source: copy?.source });
    const planned = await plannedProject(invocation, {
      tree: session.tree,
      previous,
      project: withResource(previous, resource),
      resource,
      plugins: plugins.plugins,
      isRewritten: request.force && parts.resource && parts.controller,
    });
    const scaffolded = await runScaffolds({
      invocation,
      session,
      project: planned.project,
      plugins,
      command: "create api",
      scaffoldOf: (plugin) => plugin.createApi,
      options: {
        resource,
        writesResource: parts.resource,
        writesController: parts.controller,
        controllerName,
        force: request.force,
      },
    });
    const { notes, project } = await withCopy(invocation, session, { ...scaffolded, copy, version, resource });
    session.tree.update(PROJECT_FILE, () => document.print(project));
    const replaced = session.tree.replaced();
    const lost = [...replaced, ...planned.changed];
    await confirmReplacing(invocation, { actions: session.tree.actions(), paths: lost, verb: "Replace" });
    if (request.force) forgetApply(session.tree, project, resource);
    const unmade = options.makesManifests ? await makeManifests(invocation, session, project) : [];
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    if (!dry) await session.commit(actions);
    const types = parts.resource ? [`describe your API in ${typesFile(project, resource)}`] : [];
    const outputs = await outputSteps(invocation, { project, tree: session.tree });
    const install = installSteps(session.tree, actions, resource);
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped,
      notes: [...notes, ...copyNotes(options, copy), ...unmade],
      next: [
        ...install,
        ...types,
        ...(version?.conversionSteps(project) ?? []),
        "npm run manifests && npm run generate    # or: make manifests generate, after every change of the types",
        ...(copy === undefined ? [] : ["npm test"]),
        ...(version?.controllerSteps(project) ?? []),
        ...outputs,
      ],
    });
    return 0;
  });
}

// Who names a version knows what is copied.
function copyNotes({ from }: CreateApiOptions, copy: VersionCopy | undefined): readonly string[] {
  if (copy === undefined || from !== undefined) return [];
  return [`The fields are those of ${copy.source.version}; \`--from ${NO_SOURCE}\` starts with an example instead.`];
}

interface VersionInput extends AnotherVersion {
  readonly previous: ProjectConfig;
  readonly parts: ReturnType<typeof partsOf>;
}

// Most kinds have one version.
async function versionOf(
  { program }: Invocation,
  { tree }: ProjectSession,
  { previous, parts, ...version }: VersionInput,
): Promise<PlannedVersion | undefined> {
  if (!parts.resource || (version.others.length === 0 && previous.plugins === undefined)) return undefined;
  const { planVersion } = await import("./another-version.ts");
  return planVersion(tree, { program: program.name, previous }, version);
}

type Scaffolded = Pick<Awaited<ReturnType<typeof runScaffolds>>, "notes" | "project">;

interface CopyInput extends Scaffolded {
  readonly copy: VersionCopy | undefined;
  readonly version: PlannedVersion | undefined;
  readonly resource: ProjectResource;
}

async function withCopy(
  invocation: Invocation,
  session: ProjectSession,
  { copy, version, resource, ...scaffolded }: CopyInput,
): Promise<Scaffolded> {
  const project = version?.record(scaffolded.project) ?? scaffolded.project;
  copy?.write(session.tree, project, resource);
  const converted = await withSpoke(invocation, session, { project, hub: copy?.hub, resource });
  const marked = (await version?.mark(converted.project)) ?? [];
  return { project: converted.project, notes: [...scaffolded.notes, ...converted.notes, ...marked] };
}

interface SpokeInput {
  readonly project: ProjectConfig;
  readonly hub: ProjectResource | undefined;
  readonly resource: ProjectResource;
}

// A kind that converts already converts the new version, too.
async function withSpoke(
  invocation: Invocation,
  session: ProjectSession,
  { project, hub, resource: { version } }: SpokeInput,
): Promise<Scaffolded> {
  if (hub === undefined || hub.version === version || hub.webhooks?.spoke?.includes(version) === true)
    return { notes: [], project };
  const { addSpoke } = await import("./add-spoke.ts");
  return await addSpoke(invocation, session, { project, hub, version });
}

type Planned = Awaited<ReturnType<typeof forgetOtherPlugins>>;

async function plannedProject(
  invocation: Invocation,
  { isRewritten, ...rewriting }: Parameters<typeof forgetOtherPlugins>[1] & { readonly isRewritten: boolean },
): Promise<Planned> {
  if (!isRewritten || rewriting.previous.plugins === undefined) return { project: rewriting.project, changed: [] };
  const { forgetOtherPlugins } = await import("./forget-other-plugins.ts");
  return await forgetOtherPlugins(invocation, rewriting);
}

// At a terminal both were asked for; elsewhere both parts are written unless the flags say otherwise. A controller works with one version of its kind.
function partsOf(
  { request: { controllerName }, hasImage, ...asked }: CreateApiOptions,
  hasController: boolean,
): { readonly resource: boolean; readonly controller: boolean } {
  const { resource = true } = asked;
  const isNamed = controllerName !== undefined || hasImage;
  return { resource, controller: asked.controller ?? (!hasController || !resource || isNamed) };
}

// A version that is there already, and types that other plugins write, are theirs.
function newestSource(
  { request, hasImage, choosesPlugins }: CreateApiOptions,
  { tree }: ProjectSession,
  project: ProjectConfig,
): string | undefined {
  const versions = versionsWithTypes(project, request);
  const [newest] = versions;
  if (newest === undefined || hasImage || choosesPlugins) return undefined;
  if (versions.some(({ version }) => version === request.version)) return undefined;
  return tree.exists(typesFile(project, newest)) ? newest.version : undefined;
}

async function copyOf(
  options: CreateApiOptions,
  project: ProjectConfig,
  newest: string | undefined,
): Promise<VersionCopy | undefined> {
  const { from = newest } = options;
  if (from === undefined || from === NO_SOURCE) return undefined;
  const { planCopy } = await import("./copy-version.ts");
  return planCopy(project, { ...options, from });
}
