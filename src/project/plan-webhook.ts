import { coreGroupDomain, coreTypesModule } from "./core-groups.ts";
import { InvalidNameError, ResourceConflictError, ResourceNotFoundError } from "./errors.ts";
import { planSpokes } from "./plan-spokes.ts";
import { checkWebhookPaths, type WebhookPaths } from "./plan-webhook-paths.ts";
import { findResource, type ProjectConfig, type ProjectResource, type ProjectWebhooks } from "./project-config.ts";
import { validateGvk } from "./validate-names.ts";

/** What `create webhook` was asked for. */
export interface WebhookRequest extends WebhookPaths {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
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
 * Fails: {@link InvalidNameError} when no type is asked for, {@link ResourceNotFoundError} when the project has no such API,
 * {@link ResourceConflictError} when a type asked for is there already and nothing is forced, or spokes are none.
 */
export function planWebhook(project: ProjectConfig, request: WebhookRequest): ProjectResource {
  requireType(request);
  const resource = resourceFor(project, request);
  refuseExisting(resource.webhooks ?? {}, request);
  checkWebhookPaths(project, resource, request);
  const spoke = planSpokes(project, resource, request);
  const webhooks = mergeWebhooks(resource.webhooks ?? {}, request);
  return {
    ...resource,
    webhooks: spoke === undefined ? webhooks : { conversion: true, spoke, ...withoutSpoke(webhooks) },
  };
}

function requireType({ defaulting, validation, conversion }: WebhookRequest): void {
  if (defaulting || validation || conversion) return;
  throw new InvalidNameError(
    "cannot create a webhook: at least one of --defaulting, --programmatic-validation and --conversion is required",
    {
      hint: "pass one of them, or several",
    },
  );
}

function resourceFor(project: ProjectConfig, request: WebhookRequest): ProjectResource {
  const { version, kind } = request;
  const core = coreGroupDomain(request.group === "" ? "core" : request.group);
  const group = request.group === "" && core !== undefined ? "core" : request.group;
  const stored = findResource(project, { group, version, kind }) ?? findResource(project, request);
  if (stored !== undefined && (stored.api !== undefined || stored.core === true || stored.external === true))
    return stored;
  validateGvk({ group: request.group, domain: core ?? project.domain ?? "", version, kind });
  if (core === undefined) {
    throw new ResourceNotFoundError(
      `cannot create a webhook: no API found for ${request.group}/${version}, Kind=${kind}`,
      { hint: `run \`npx scaffold create api --group ${request.group} --version ${version} --kind ${kind}\` first` },
    );
  }
  return {
    core: true,
    ...(core === "" ? {} : { domain: core }),
    group,
    kind,
    path: coreTypesModule(group, version),
    version,
  };
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
