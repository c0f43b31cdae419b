import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import {
  findResource,
  type ProjectConfig,
  type ProjectResource,
  type ProjectWebhooks,
  qualifiedGroupOf,
} from "../project-config.ts";
import { versionsOfKind } from "../resource-names.ts";
import { gvkFlags } from "../shell-word.ts";
import { validateWebhookPath } from "../validate-names.ts";
import { namesToRecord } from "../webhook-names.ts";
import { webhookResource, type WebhookSubject } from "./webhook-resource.ts";

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
      hint: "pass at least one of them",
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
    { hint: "pass --force to overwrite its files" },
  );
}

function withoutSpoke({ spoke: _spoke, conversion: _conversion, ...webhooks }: ProjectWebhooks): ProjectWebhooks {
  return webhooks;
}

// What is forced is overwritten with all its types.
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

/** What is asked of the conversion between the versions of a kind. */
export interface SpokeRequest {
  readonly conversion: boolean;
  readonly spokes: readonly string[];
  readonly force: boolean;
}

/**
 * Returns the versions that are to be converted to and from a resource, its hub: those it has, and those that are asked for; nothing when no
 * conversion is asked for.
 *
 * Fails: {@link InvalidNameError} for spokes that are missing, named twice, the hub itself or no version of the kind, and for a kind without a
 * CRD of the project; {@link ResourceConflictError} for spokes that are there already and when another version is the hub.
 */
export function planSpokes(
  project: ProjectConfig,
  resource: ProjectResource,
  { conversion, spokes, force }: SpokeRequest,
): readonly string[] | undefined {
  if (!conversion) {
    if (spokes.length > 0) throw spokesAlone();
    return undefined;
  }
  if (resource.api === undefined) {
    throw new InvalidNameError(`cannot convert ${resource.kind}: its CRD is not defined in this project`, {
      hint: "omit --conversion: convert a kind in the project that defines it",
    });
  }
  refuseOtherHub(project, resource);
  checkSpokes(project, resource, spokes);
  const before = resource.webhooks?.spoke ?? [];
  const known = spokes.filter((version) => before.includes(version));
  if (known.length > 0 && !force) {
    throw new ResourceConflictError(
      `cannot create the webhook: ${resource.kind} has the spoke ${known.join(", ")} already`,
      {
        hint: "specify only the new versions, or pass --force to overwrite the files",
      },
    );
  }
  return [...before, ...spokes.filter((version) => !before.includes(version))];
}

/** Says that spokes were named, and no conversion asked for. */
function spokesAlone(): InvalidNameError {
  return new InvalidNameError("cannot use --spoke: it needs --conversion", {
    hint: "pass --conversion too, or omit --spoke",
  });
}

function refuseOtherHub(project: ProjectConfig, resource: ProjectResource): void {
  const hub = versionsOfKind(project, resource).find(
    (each) => each.webhooks?.conversion === true && each.version !== resource.version,
  );
  if (hub === undefined) return;
  throw new ResourceConflictError(
    `cannot make ${resource.version} the hub of ${resource.kind}: the hub is already ${hub.version}`,
    {
      hint: `add spokes to the hub: --version ${hub.version} --conversion --spoke ${resource.version}`,
    },
  );
}

function checkSpokes(project: ProjectConfig, resource: ProjectResource, spokes: readonly string[]): void {
  const { group = "", version, kind } = resource;
  const others = versionsOfKind(project, resource).filter((each) => each.version !== version);
  if (spokes.length === 0) {
    throw new InvalidNameError("cannot create a conversion webhook: --spoke is required", {
      hint:
        others.length === 0
          ? `the kind has no other version: add one with \`npx scaffold create api\`, and pass it with --spoke`
          : `pass the versions to convert to and from this one: --spoke ${others.map((each) => each.version).join(",")}`,
    });
  }
  const twice = spokes.find((spoke, index) => spokes.indexOf(spoke) < index);
  if (twice !== undefined)
    throw new InvalidNameError(`invalid spoke "${twice}": it is specified twice`, {
      hint: "specify each version once",
    });
  if (spokes.includes(version)) {
    throw new InvalidNameError(`invalid spoke "${version}": a version cannot be a spoke of itself`, {
      hint: "pass other versions: --version is the hub",
    });
  }
  const unknown = spokes.find((spoke) => findResource(project, { group, version: spoke, kind })?.api === undefined);
  if (unknown === undefined) return;
  throw new InvalidNameError(`invalid spoke "${unknown}": the project has no ${group}/${unknown}, Kind=${kind}`, {
    hint:
      others.length === 0
        ? `run \`npx scaffold create api ${gvkFlags({ group, version: unknown, kind })}\` first`
        : `its other versions: ${others.map((each) => each.version).join(", ")}`,
  });
}

/** The paths that webhooks are served at, where they are not those derived from group, version and kind. */
interface WebhookPaths {
  readonly defaultingPath?: string | undefined;
  readonly validationPath?: string | undefined;
}

// Where managers convert between versions, of all kinds.
const CONVERSION_PATH = "/convert";

/**
 * Checks the paths that were asked for; each needs its type of webhook, and no two webhooks share a path.
 *
 * Fails: {@link InvalidNameError}, {@link ResourceConflictError}.
 */
export function checkWebhookPaths(
  project: ProjectConfig,
  resource: ProjectResource,
  request: WebhookPaths & { readonly defaulting: boolean; readonly validation: boolean },
): void {
  const { defaultingPath, validationPath, defaulting, validation } = request;
  requireTypeOfPath("defaulting-path", { path: defaultingPath, flag: "defaulting", isAsked: defaulting });
  requireTypeOfPath("validation-path", { path: validationPath, flag: "programmatic-validation", isAsked: validation });
  if (defaultingPath !== undefined && defaultingPath === validationPath)
    throw taken(defaultingPath, "the validating webhook of this call");
  for (const path of [defaultingPath, validationPath]) if (path !== undefined) checkPath(project, resource, path);
}

function requireTypeOfPath(
  name: string,
  { path, flag, isAsked }: { readonly path: string | undefined; readonly flag: string; readonly isAsked: boolean },
): void {
  if (path === undefined || isAsked) return;
  throw new InvalidNameError(`cannot use --${name}: it can only be used with --${flag}`, {
    hint: `pass --${flag} too, or omit --${name}`,
  });
}

function checkPath(project: ProjectConfig, resource: ProjectResource, path: string): void {
  validateWebhookPath(path);
  if (path === CONVERSION_PATH) throw taken(path, "the conversion between versions");
  for (const other of project.resources ?? []) {
    const isSame = other.kind === resource.kind && other.version === resource.version && other.group === resource.group;
    if (!isSame && pathsOf(other).includes(path)) throw taken(path, `a webhook of ${other.kind}`);
  }
}

function pathsOf(resource: ProjectResource): readonly string[] {
  const { defaulting, defaultingPath, validation, validationPath } = resource.webhooks ?? {};
  const end = `${qualifiedGroupOf(resource).replaceAll(".", "-")}-${resource.version}-${resource.kind.toLowerCase()}`;
  return [
    ...(defaulting === true ? [defaultingPath ?? `/mutate-${end}`] : []),
    ...(validation === true ? [validationPath ?? `/validate-${end}`] : []),
  ];
}

function taken(path: string, by: string): ResourceConflictError {
  return new ResourceConflictError(`cannot use webhook path "${path}": it is already the path of ${by}`, {
    hint: "choose a unique path",
  });
}
