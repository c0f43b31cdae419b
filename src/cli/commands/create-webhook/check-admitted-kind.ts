import { WebhookKindError } from "../../../project/errors.ts";
import { type ProjectResource, qualifiedGroupOf } from "../../../project/project-config.ts";

/**
 * Checks that API servers ask webhooks about objects of a kind of Kubernetes itself when they are created and when they are changed: generated
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
      reason: "API servers ask no webhook about what configures admission, so that nobody is locked out",
      wayOut: "decide with roles who may write its objects, or watch them with a controller",
    };
  }
  if (!verbs.includes("create")) {
    return { reason: "its objects cannot be written", wayOut: "choose a kind that is created or changed" };
  }
  if (verbs.includes("update")) return undefined;
  return {
    reason: "its objects are answered and never stored, so that none is ever changed",
    wayOut:
      "register a handler of your own with mgr.getWebhookServer().register and admission.admissionWebhook, and write its marker with verbs=create",
  };
}
