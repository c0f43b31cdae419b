import { checkCoreKind } from "../../../changes/check-core-kind.ts";
import { installSteps, outputSteps } from "../../../changes/next-steps.ts";
import { type CertificateIssuer, withCertificateIssuer } from "../../../project/certificates.ts";
import { WebhookKindError } from "../../../project/errors.ts";
import { requireExternalFile } from "../../../project/plans/plan-external.ts";
import { planWebhook } from "../../../project/plans/plan-webhook.ts";
import { PROJECT_FILE, type ProjectResource, qualifiedGroupOf, withResource } from "../../../project/project-config.ts";
import { namesOf } from "../../../project/resource-names.ts";
import type { Invocation } from "../../command/command.ts";
import { makeManifests } from "../../generating/make-manifests.ts";
import { reportOutcome, confirmReplacing } from "../../output/report-outcome.ts";
import { loadProject, withProjectSession, pluginsFor, runScaffolds } from "../../session/project-session.ts";
import { switchCertificates } from "../../session/switch-certificates.ts";

/** Webhooks to add to a kind. */
export interface CreateWebhookOptions {
  readonly request: Parameters<typeof planWebhook>[1];
  /** Where the certificates of webhooks come from, if that changes. */
  readonly certificates: CertificateIssuer | undefined;
  /** Whether the manifests are generated. */
  readonly makesManifests: boolean;
}

/** Adds webhooks to an API of the project in the working folder. */
export function runCreateWebhook(
  { request, certificates, makesManifests }: CreateWebhookOptions,
  invocation: Invocation,
): Promise<number> {
  const dry = invocation.isDryRun;
  return withProjectSession(invocation, { isDryRun: dry }, async (session) => {
    const { project: loaded, document } = loadProject(session);
    const previous = certificates === undefined ? loaded : withCertificateIssuer(loaded, certificates);
    const resource = planWebhook(previous, request);
    requireExternalFile(request, (file) => session.tree.exists(file));
    if (resource.core === true) await checkCoreKind(previous, resource);
    await checkAdmittedKind(resource, request);
    const change = { previous: loaded, project: previous, force: request.force };
    const switched = await switchCertificates(invocation, session, change);
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
    session.tree.update(PROJECT_FILE, () => document.print(project));
    const replaced = session.tree.replaced();
    await confirmReplacing(invocation, { actions: session.tree.actions(), paths: replaced, verb: "Replace" });
    const unmade = makesManifests ? await makeManifests(invocation, session, project) : [];
    const actions = session.tree.actions();
    const skipped = session.tree.skipped();
    if (!dry) await session.commit(actions);
    const outputs = await outputSteps(invocation, { project, tree: session.tree });
    const { webhookFolder, kindLower } = namesOf(project, resource);
    reportOutcome(invocation, {
      actions,
      replaced,
      skipped,
      notes: [...switched.notes, ...notes, ...unmade],
      next: [
        ...installSteps(session.tree, actions, resource),
        ...(request.defaulting || request.validation ? [`fill in ${webhookFolder}/${kindLower}_webhook.ts`] : []),
        ...request.spokes.map((version) => {
          const { apiFolder } = namesOf(project, { ...resource, version });
          return `convert what differs between the versions in ${apiFolder}/${kindLower}_conversion.ts`;
        }),
        request.spokes.length === 0
          ? "npm run manifests    # or: make manifests, after every change of the markers"
          : "npm run manifests && npm run generate    # or: make manifests generate, after every change of the types",
        ...outputs,
      ],
    });
    return 0;
  });
}

/**
 * Checks that API servers ask webhooks about objects of a built-in kind of Kubernetes when they are created and when they are changed: generated
 * ones would be code that never runs.
 *
 * Fails: {@link WebhookKindError}.
 */
export async function checkAdmittedKind(
  resource: ProjectResource,
  { defaulting, validation }: { readonly defaulting: boolean; readonly validation: boolean },
): Promise<void> {
  if (resource.core !== true || (!defaulting && !validation)) return;
  const { builtInResources } = await import("@kubescaffold/k8s/tables");
  const { version, kind } = resource;
  const group = qualifiedGroupOf(resource);
  const known = builtInResources.find((each) => each.group === group && each.version === version && each.kind === kind);
  const obstacle = known === undefined ? undefined : obstacleOf(known);
  if (obstacle === undefined) return;
  throw new WebhookKindError(
    `cannot create a webhook for ${group === "" ? "core" : group}/${version}, Kind=${kind}: ${obstacle.reason}`,
    { hint: obstacle.wayOut },
  );
}

interface Obstacle {
  readonly reason: string;
  readonly wayOut: string;
}

function obstacleOf({
  group,
  verbs,
}: {
  readonly group: string;
  readonly verbs: readonly string[];
}): Obstacle | undefined {
  if (group === "admissionregistration.k8s.io") {
    return {
      reason: "API servers do not call webhooks for objects that configure admission, which could lock everyone out",
      wayOut: "restrict who may write the objects with RBAC, or watch them with a controller",
    };
  }
  if (!verbs.includes("create")) {
    return { reason: "its objects cannot be written", wayOut: "choose a kind that is created or changed" };
  }
  if (verbs.includes("update")) return undefined;
  return {
    reason: "its objects are never stored, so they are never updated",
    wayOut:
      "register your own handler with mgr.getWebhookServer().register and admission.admissionWebhook, and write its marker with verbs=create",
  };
}
