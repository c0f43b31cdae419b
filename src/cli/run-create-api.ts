import { planApi } from "../project/plan-api.ts";
import { findResource, PROJECT_FILE, type ProjectConfig, withResource } from "../project/project-config.ts";
import { printProject } from "../project/project-file.ts";
import { namesOf } from "../project/resource-names.ts";
import type { Invocation } from "./command.ts";
import { switchFlag, textFlag } from "./flag-values.ts";
import { makeManifests } from "./make-manifests.ts";
import { loadProject, withProjectSession } from "./project-session.ts";
import { isDryRun, reportOutcome } from "./report-outcome.ts";
import { pluginsFor, runScaffolds } from "./run-scaffolds.ts";

/** Adds an API to the project in the working folder. */
export function runCreateApi(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, text } = loadProject(session);
    const parts = await askParts(invocation, previous, request);
    const { resource, controllerName } = planApi(previous, { ...request, ...parts });
    const planned = withResource(previous, resource);
    const { notes, project } = await runScaffolds({
      invocation,
      session,
      project: planned,
      plugins: await pluginsFor(invocation, planned),
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
    session.tree.update(PROJECT_FILE, () => printProject(project, text));
    const replaced = session.tree.replaced();
    await makeManifests(invocation, session);
    const actions = session.tree.actions();
    if (!dry) await session.commit(actions);
    const { apiFolder, kindLower } = namesOf(project, resource);
    const types = parts.resource ? [`describe your API in ${apiFolder}/${kindLower}_types.ts`] : [];
    const install = actions.some((action) => action.path === "package.json") ? ["npm install"] : [];
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped: session.tree.skipped(),
      notes,
      next: [
        ...install,
        ...types,
        "npm run manifests && npm run generate    # or: make manifests generate, after every change of the types",
      ],
    });
    return 0;
  });
}

type Request = Omit<Parameters<typeof planApi>[1], "resource" | "controller">;

function requestOf({ flags }: Invocation): Request {
  return {
    group: textFlag(flags, "group", { mayBeEmpty: true }) ?? "",
    version: textFlag(flags, "version") ?? "",
    kind: textFlag(flags, "kind") ?? "",
    plural: textFlag(flags, "plural"),
    controllerName: textFlag(flags, "controller-name"),
    externalApiPath: textFlag(flags, "external-api-path"),
    externalApiDomain: textFlag(flags, "external-api-domain"),
    externalApiModule: textFlag(flags, "external-api-module"),
    namespaced: switchFlag(flags, "namespaced") ?? true,
    force: switchFlag(flags, "force") === true,
  };
}

// Nobody is asked what cannot be asked: away from a terminal both parts are written unless the flags say otherwise.
async function askParts(
  invocation: Invocation,
  project: ProjectConfig,
  request: Request,
): Promise<{ readonly resource: boolean; readonly controller: boolean }> {
  const resource = switchFlag(invocation.flags, "resource");
  const controller = switchFlag(invocation.flags, "controller");
  if (!invocation.terminal.isInteractive) return { resource: resource ?? true, controller: controller ?? true };
  const isKnown = findResource(project, request)?.api !== undefined;
  const { askYesNo } = await import("./ask.ts");
  return {
    resource: resource ?? (isKnown && !request.force ? false : await askYesNo("Write the types of the kind?")),
    controller: controller ?? (await askYesNo("Write a controller?")),
  };
}
