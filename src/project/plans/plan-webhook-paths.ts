import { InvalidNameError, ResourceConflictError } from "../errors.ts";
import { type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project-config.ts";
import { validateWebhookPath } from "../validate-names.ts";

/** The paths that webhooks are served at, where they are not those derived from group, version and kind. */
export interface WebhookPaths {
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
  requireType("defaulting-path", { path: defaultingPath, flag: "defaulting", isAsked: defaulting });
  requireType("validation-path", { path: validationPath, flag: "programmatic-validation", isAsked: validation });
  if (defaultingPath !== undefined && defaultingPath === validationPath)
    throw taken(defaultingPath, "the validating webhook of this call");
  for (const path of [defaultingPath, validationPath]) if (path !== undefined) checkPath(project, resource, path);
}

function requireType(
  name: string,
  { path, flag, isAsked }: { readonly path: string | undefined; readonly flag: string; readonly isAsked: boolean },
): void {
  if (path === undefined || isAsked) return;
  throw new InvalidNameError(`cannot use --${name}: it can only be used with --${flag}`, {
    hint: `pass --${flag} too, or leave out --${name}`,
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
  return new ResourceConflictError(`cannot use webhook path "${path}": it is that of ${by}`, {
    hint: "choose a path that no other webhook of the project has",
  });
}
