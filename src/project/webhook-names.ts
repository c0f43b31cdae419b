import { type ProjectConfig, type ProjectResource, type ProjectWebhooks, qualifiedGroupOf } from "./project-config.ts";

/** The names of a kind's webhooks in their configurations: servers reject a configuration in which two are the same. */
export interface WebhookNames {
  /** The name of the mutating webhook. */
  readonly defaulting: string;
  /** The name of the validating webhook. */
  readonly validation: string;
}

/** Returns the names of a resource's webhooks: those that PROJECT records, else the usual ones. */
export function webhookNamesOf(resource: ProjectResource): WebhookNames {
  const { defaultingName, validationName } = resource.webhooks ?? {};
  const { defaulting, validation } = usualNames(resource);
  return { defaulting: defaultingName ?? defaulting, validation: validationName ?? validation };
}

function usualNames({ kind, version }: ProjectResource): WebhookNames {
  const end = `${kind.toLowerCase()}-${version}.kb.io`;
  return { defaulting: `m${end}`, validation: `v${end}` };
}

/** What PROJECT records of the names of webhooks that are not the usual ones. */
export type RecordedNames = Pick<ProjectWebhooks, "defaultingName" | "validationName">;

/**
 * Returns what is to be recorded of the names of webhooks: one with the group in it where a kind of another group has the usual one, and
 * nothing where it is free, since it does not say the group.
 */
export function namesToRecord(
  project: ProjectConfig,
  resource: ProjectResource,
  { defaulting, validation }: { readonly defaulting: boolean; readonly validation: boolean },
): RecordedNames {
  const usual = usualNames(resource);
  const others = (project.resources ?? []).filter((each) => !isSame(each, resource));
  const isTaken = (type: keyof WebhookNames): boolean =>
    others.some((each) => each.webhooks?.[type] === true && webhookNamesOf(each)[type] === usual[type]);
  return {
    ...(defaulting && isTaken("defaulting") ? { defaultingName: withGroup(usual.defaulting, resource) } : {}),
    ...(validation && isTaken("validation") ? { validationName: withGroup(usual.validation, resource) } : {}),
  };
}

function isSame(one: ProjectResource, other: ProjectResource): boolean {
  return one.kind === other.kind && one.version === other.version && qualifiedGroupOf(one) === qualifiedGroupOf(other);
}

function withGroup(name: string, resource: ProjectResource): string {
  const group = qualifiedGroupOf(resource);
  return name.replace(/\.kb\.io$/u, `.${group === "" ? "core" : group}.kb.io`);
}

/** Returns a resource whose kind, group or version is another now with the names that its webhooks are to have. */
export function withFreeNames(project: ProjectConfig, resource: ProjectResource): ProjectResource {
  if (resource.webhooks === undefined) return resource;
  const { defaultingName: _d, validationName: _v, ...webhooks } = resource.webhooks;
  const { defaulting = false, validation = false } = webhooks;
  return { ...resource, webhooks: { ...webhooks, ...namesToRecord(project, resource, { defaulting, validation }) } };
}
