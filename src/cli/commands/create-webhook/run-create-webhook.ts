import { checkCoreKind } from "../../../changes/check-core-kind.ts";
import { installSteps } from "../../../changes/install-steps.ts";
import { outputSteps } from "../../../changes/plugin-outputs.ts";
import { planWebhook } from "../../../project/plans/plan-webhook.ts";
import { PROJECT_FILE, withResource } from "../../../project/project-config.ts";
import { printProject } from "../../../project/project-file.ts";
import { namesOf } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command.ts";
import { externalFlags, kindFlags, listFlag, switchFlag, textFlag } from "../../flags/flag-values.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { isDryRun, reportOutcome } from "../../output/report-outcome.ts";
import { confirmReplacing } from "../../prompts/confirm-overwrite.ts";
import { loadProject, withProjectSession } from "../../session/project-session.ts";
import { pluginsFor, runScaffolds } from "../../session/run-scaffolds.ts";
import { checkAdmittedKind } from "./check-admitted-kind.ts";

/** Adds webhooks to an API of the project in the working folder. */
export function runCreateWebhook(invocation: Invocation): Promise<number> {
  const request = requestOf(invocation);
  const dry = isDryRun(invocation);
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: previous, text } = loadProject(session);
    const resource = planWebhook(previous, request);
    await checkCoreKind(previous, resource);
    await checkAdmittedKind(resource, request);
    const planned = withResource(previous, resource);
    const { notes, project } = await runScaffolds({
      invocation,
      session,
      project: planned,
      plugins: await pluginsFor(invocation, planned),
      command: "create webhook",
      scaffoldOf: (plugin) => plugin.createWebhook,
      options: { ...request, resource, previous },
    });
    session.tree.update(PROJECT_FILE, () => printProject(project, text));
    const replaced = session.tree.replaced();
    await confirmReplacing(invocation, { actions: session.tree.actions(), paths: replaced, verb: "Replace" });
    const unmade = await makeManifests(invocation, session, project);
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    if (!dry) await session.commit(actions);
    const outputs = await outputSteps(invocation, { project, tree: session.tree });
    const { webhookFolder, kindLower } = namesOf(project, resource);
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped,
      notes: [...notes, ...unmade],
      next: [
        ...installSteps(session.tree, actions, resource),
        ...(request.defaulting || request.validation ? [`fill in ${webhookFolder}/${kindLower}_webhook.ts`] : []),
        ...request.spokes.map((version) => {
          const { apiFolder } = namesOf(project, { ...resource, version });
          return `convert what differs between the versions in ${apiFolder}/${kindLower}_conversion.ts`;
        }),
        "npm run manifests    # or: make manifests, after every change of the markers",
        ...outputs,
      ],
    });
    return 0;
  });
}

function requestOf({ flags }: Invocation): Parameters<typeof planWebhook>[1] {
  return {
    ...kindFlags(flags),
    plural: textFlag(flags, "plural"),
    ...externalFlags(flags),
    defaulting: switchFlag(flags, "defaulting") === true,
    validation: switchFlag(flags, "programmatic-validation") === true,
    conversion: switchFlag(flags, "conversion") === true,
    spokes: listFlag(flags, "spoke"),
    defaultingPath: textFlag(flags, "defaulting-path"),
    validationPath: textFlag(flags, "validation-path"),
    force: switchFlag(flags, "force") === true,
  };
}
