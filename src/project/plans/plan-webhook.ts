import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import type { ProjectConfig, ProjectResource, ProjectWebhooks } from "../project-config.ts";
import { namesToRecord } from "../webhook-names.ts";
import { webhookResource, type WebhookSubject } from "../webhook-resource.ts";
import { planSpokes, spokesAlone } from "./plan-spokes.ts";
import { checkWebhookPaths, type WebhookPaths } from "./plan-webhook-paths.ts";

/** What `create webhook` was asked for. */
export interface WebhookRequest extends WebhookPaths, WebhookSubject {
  readonly defaulting: boolean;
  readonly validation: boolean;
  readonly conversion: boolean;
  /** The versions that are to be converted to and from this one. */
  readonly spokes: readonly string[];
  readonly force: boolean;
}

/**
 * Decides what PROJECT records of webhooks that are to be created; the webhooks a resource has already stay.
 *
 * Fails: {@link InvalidNameError} when no type is asked for, `ResourceNotFoundError` when the project has no such API,
 * {@link ResourceConflictError} when a type asked for is there already and nothing is forced, or spokes are none.
 */
export function planWebhook(project: ProjectConfig, request: WebhookRequest): ProjectResource {
  requireType(request);
  const resource = webhookResource(project, request);
  refuseExisting(resource.webhooks ?? {}, request);
  checkWebhookPaths(project, resource, request);
  const spoke = planSpokes(project, resource, request);
  const merged = mergeWebhooks(resource.webhooks ?? {}, request);
  const webhooks = { ...merged, ...namesToRecord(project, resource, writtenTypes(merged, request)) };
  return {
    ...resource,
    webhooks: spoke === undefined ? webhooks : { conversion: true, spoke, ...withoutSpoke(webhooks) },
  };
}

function requireType({ defaulting, validation, conversion, spokes }: WebhookRequest): void {
  if (defaulting || validation || conversion) return;
  if (spokes.length > 0) throw spokesAlone();
  throw new InvalidNameError(
    "cannot create a webhook: at least one of --defaulting, --programmatic-validation and --conversion is required",
    {
      hint: "pass one of them, or several",
    },
  );
}

function refuseExisting(webhooks: ProjectWebhooks, request: WebhookRequest): void {
  if (request.force) return;
  if (request.defaulting && webhooks.defaulting === true) throw existing("defaulting", request);
  if (request.validation && webhooks.validation === true) throw existing("validation", request);
}

function existing(type: string, { group, version, kind }: WebhookRequest): ResourceConflictError {
  return new ResourceConflictError(
    `cannot create the webhook: a ${type} webhook already exists for ${group}/${version}, Kind=${kind}`,
    { hint: "pass --force to write its files again" },
  );
}

function withoutSpoke({ spoke: _spoke, conversion: _conversion, ...webhooks }: ProjectWebhooks): ProjectWebhooks {
  return webhooks;
}

// What is forced is written anew with all its types.
function writtenTypes(
  { defaulting, validation }: ProjectWebhooks,
  request: WebhookRequest,
): Pick<WebhookRequest, "defaulting" | "validation"> {
  return request.force ? { defaulting: defaulting === true, validation: validation === true } : request;
}

function mergeWebhooks(webhooks: ProjectWebhooks, request: WebhookRequest): ProjectWebhooks {
  return {
    ...webhooks,
    ...(request.defaulting ? { defaulting: true } : {}),
    ...(request.defaultingPath === undefined ? {} : { defaultingPath: request.defaultingPath }),
    ...(request.validation ? { validation: true } : {}),
    ...(request.validationPath === undefined ? {} : { validationPath: request.validationPath }),
    webhookVersion: webhooks.webhookVersion ?? "v1",
  };
}
