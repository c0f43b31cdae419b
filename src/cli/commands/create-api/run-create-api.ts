import { checkCoreKind } from "../../../changes/check-core-kind.ts";
import { installSteps, outputSteps } from "../../../changes/next-steps.ts";
import { planApi } from "../../../project/plans/plan-api.ts";
import {
  PROJECT_FILE,
  type ProjectConfig,
  type ProjectResource,
  withResource,
} from "../../../project/project-config.ts";
import { namesOf } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command.ts";
import { externalFlags, kindFlags, switchFlag, textFlag } from "../../flags/flag-values.ts";
import { forgetApply, makeManifests } from "../../generating/make-manifests.ts";
import { isDryRun, reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import {
  loadProject,
  withProjectSession,
  pluginsFor,
  type ProjectSession,
  runScaffolds,
} from "../../session/project-session.ts";
import type { VersionCopy } from "./copy-version.ts";
import type { forgetOtherPlugins } from "./forget-other-plugins.ts";

/** Adds an API to the project in the working folder. */
export function runCreateApi(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, document } = loadProject(session);
    const copy = await copyOf(invocation, previous);
    const parts = partsOf(invocation, copy?.hasController === true);
    const { resource, controllerName } = planApi(previous, {
      ...request,
      ssa: request.ssa ?? copy?.source.api?.ssa,
      ...parts,
    });
    if (resource.core === true) await checkCoreKind(previous, resource);
    const plugins = await pluginsFor(invocation, withResource(previous, resource));
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
    const { notes, project } = await withCopy(invocation, session, { ...scaffolded, copy, resource });
    session.tree.update(PROJECT_FILE, () => document.print(project));
    const replaced = session.tree.replaced();
    const lost = [...replaced, ...planned.changed];
    await confirmReplacing(invocation, { actions: session.tree.actions(), paths: lost, verb: "Replace" });
    forgetApply(session.tree, project, resource);
    const unmade = await makeManifests(invocation, session, project);
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    if (!dry) await session.commit(actions);
    const { apiFolder, kindLower } = namesOf(project, resource);
    const types = parts.resource ? [`describe your API in ${apiFolder}/${kindLower}_types.ts`] : [];
    const outputs = await outputSteps(invocation, { project, tree: session.tree });
    const install = installSteps(session.tree, actions, resource);
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped,
      notes: [...notes, ...unmade],
      next: [
        ...install,
        ...types,
        ...(copy?.conversionSteps(project, resource) ?? []),
        "npm run manifests && npm run generate    # or: make manifests generate, after every change of the types",
        ...(copy === undefined ? [] : ["npm test", ...copy.controllerSteps(resource)]),
        ...outputs,
      ],
    });
    return 0;
  });
}

type Scaffolded = Awaited<ReturnType<typeof runScaffolds>>;

interface CopyInput extends Scaffolded {
  readonly copy: VersionCopy | undefined;
  readonly resource: ProjectResource;
}

// A kind that converts already converts the new version, too.
async function withCopy(
  invocation: Invocation,
  session: ProjectSession,
  { notes, project, copy, resource }: CopyInput,
): Promise<Scaffolded> {
  if (copy === undefined) return { notes, project };
  const copied = await copy.write(session.tree, project, resource);
  const { hub } = copy;
  const { version } = resource;
  const isConverted = hub === undefined || hub.version === version || hub.webhooks?.spoke?.includes(version) === true;
  if (isConverted) return { notes: [...notes, ...copied], project };
  const { addSpoke } = await import("./add-spoke.ts");
  const converted = await addSpoke(invocation, session, { project, hub, version });
  return { notes: [...notes, ...copied, ...converted.notes], project: converted.project };
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

type Request = Omit<Parameters<typeof planApi>[1], "resource" | "controller">;

function requestOf({ flags }: Invocation): Request {
  return {
    ...kindFlags(flags),
    plural: textFlag(flags, "plural"),
    controllerName: textFlag(flags, "controller-name"),
    ...externalFlags(flags),
    namespaced: switchFlag(flags, "namespaced"),
    ssa: switchFlag(flags, "ssa"),
    force: switchFlag(flags, "force") === true,
  };
}

// At a terminal both were asked for; elsewhere both parts are written unless the flags say otherwise, or another version has the controller of the kind.
function partsOf(
  { flags }: Invocation,
  hasController: boolean,
): { readonly resource: boolean; readonly controller: boolean } {
  return {
    resource: switchFlag(flags, "resource") ?? true,
    controller: switchFlag(flags, "controller") ?? !hasController,
  };
}

async function copyOf(invocation: Invocation, project: ProjectConfig): Promise<VersionCopy | undefined> {
  if (invocation.flags["from"] === undefined) return undefined;
  const { planCopy } = await import("./copy-version.ts");
  return planCopy(invocation, project);
}
