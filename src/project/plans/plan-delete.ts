import { ResourceNotFoundError } from "../errors.ts";
import { proposeResource } from "../near-resource.ts";
import { findResource, type ProjectConfig, type ProjectResource, type ProjectWebhooks } from "../project-config.ts";
import { copiedFrom, withCopiedFrom } from "../version-records.ts";
import { controllerNames } from "./plan-controllers.ts";

/** What is to be removed from a project. */
export interface DeleteRequest {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** The entry of PROJECT as it is, and as it is to be; nothing in place of one that goes. */
export interface PlannedDelete {
  readonly before: ProjectResource;
  readonly after: ProjectResource | undefined;
}

/**
 * Decides what PROJECT records once an API, or one controller of it, is gone.
 *
 * Fails: {@link ResourceNotFoundError}.
 */
export function planDeleteApi(
  project: ProjectConfig,
  request: DeleteRequest & { readonly controllerName?: string | undefined },
): PlannedDelete {
  const before = storedResource(project, request);
  if (request.controllerName === undefined) return { before, after: undefined };
  const names = controllerNames(before);
  if (!names.includes(request.controllerName)) {
    throw new ResourceNotFoundError(
      `cannot delete controller "${request.controllerName}": ${nameOf(request)} has no controller with this name`,
      {
        hint: names.length === 0 ? "it has no controller" : `its controllers: ${names.join(", ")}`,
      },
    );
  }
  const left = names.filter((name) => name !== request.controllerName);
  return { before, after: emptyAsNothing(withControllers(before, left)) };
}

/** Decides what PROJECT records of the hub of a version that is no longer converted; undefined without a hub, whose code imports that of its spokes. */
export function planHubWithoutSpoke(
  project: ProjectConfig,
  { group = "", domain, version, kind }: ProjectResource,
): PlannedDelete | undefined {
  const hub = (project.resources ?? []).find(
    (each) =>
      (each.group ?? "") === group &&
      each.domain === domain &&
      each.kind === kind &&
      each.webhooks?.spoke?.includes(version),
  );
  return hub === undefined ? undefined : webhooksGone(hub, { group, version: hub.version, kind, spokes: [version] });
}

/** Which webhooks of an API are to go; all of them when none is named. */
export interface WebhooksToDelete {
  readonly defaulting?: boolean;
  readonly validation?: boolean;
  readonly conversion?: boolean;
  /** Versions that are no longer converted; with the last one the conversion goes. They limit `conversion` to them. */
  readonly spokes?: readonly string[];
}

/** Decides what PROJECT records once webhooks of an API are gone. Fails: {@link ResourceNotFoundError}. */
export function planDeleteWebhook(project: ProjectConfig, request: DeleteRequest & WebhooksToDelete): PlannedDelete {
  return webhooksGone(storedResource(project, request), request);
}

function webhooksGone(before: ProjectResource, request: DeleteRequest & WebhooksToDelete): PlannedDelete {
  if (before.webhooks === undefined) {
    throw new ResourceNotFoundError(`cannot delete the webhooks of ${nameOf(request)}: it has none`);
  }
  const { webhooks, ...others } = before;
  const left = webhooksLeft(webhooks, request);
  return { before, after: left === undefined ? emptyAsNothing(others) : { ...before, webhooks: left } };
}

function webhooksLeft(
  webhooks: ProjectWebhooks,
  request: DeleteRequest & WebhooksToDelete,
): ProjectWebhooks | undefined {
  const { defaulting = false, validation = false, conversion = false, spokes = [] } = request;
  if (!defaulting && !validation && !conversion && spokes.length === 0) return undefined;
  refuseAbsent(webhooks, request);
  const spokesLeft = (webhooks.spoke ?? []).filter((each) => !spokes.includes(each));
  const endsConversion = spokes.length === 0 ? conversion : spokesLeft.length === 0;
  const gone = [
    ...(defaulting ? ["defaulting", "defaultingName", "defaultingPath"] : []),
    ...(validation ? ["validation", "validationName", "validationPath"] : []),
    ...(endsConversion ? ["conversion", "spoke"] : []),
  ];
  const entries = Object.entries(webhooks).filter(([key]) => !gone.includes(key));
  const left: ProjectWebhooks = Object.fromEntries(
    entries.map(([key, value]) => [key, key === "spoke" ? spokesLeft : value]),
  );
  return left.defaulting === true || left.validation === true || left.conversion === true ? left : undefined;
}

const WORDS = { defaulting: "defaulting", validation: "validating", conversion: "conversion" } as const;

function refuseAbsent(webhooks: ProjectWebhooks, request: DeleteRequest & WebhooksToDelete): void {
  const types = Object.entries(WORDS).filter(([type]) => webhooks[type as keyof typeof WORDS] === true);
  for (const [type, word] of Object.entries(WORDS)) {
    if (request[type as keyof typeof WORDS] !== true || types.some(([known]) => known === type)) continue;
    throw new ResourceNotFoundError(`cannot delete the ${word} webhook of ${nameOf(request)}: it has none`, {
      hint: `it has these: ${types.map(([, known]) => known).join(", ")}`,
    });
  }
  for (const spoke of request.spokes ?? []) {
    if (webhooks.spoke?.includes(spoke) === true) continue;
    throw new ResourceNotFoundError(
      `cannot delete the conversion of ${spoke}: ${nameOf(request)} is not converted to and from it`,
      { hint: webhooks.spoke === undefined ? "it converts no version" : `its spokes: ${webhooks.spoke.join(", ")}` },
    );
  }
}

/** Returns the project with the planned entry in place of the former one. */
export function withoutResource(planned: ProjectConfig, { before, after }: PlannedDelete): ProjectConfig {
  const project = after === undefined ? withoutCopiesOf(withoutPluginData(planned, before), before) : planned;
  const resources = (project.resources ?? []).flatMap((each) => (each === before ? (after ?? []) : [each]));
  if (resources.length > 0) return { ...project, resources };
  const { resources: _, ...others } = project;
  return others;
}

// The types of a copy are no longer those of another version.
function withoutCopiesOf(project: ProjectConfig, source: ProjectResource): ProjectConfig {
  const copies = (project.resources ?? []).filter((each) => copiedFrom(project, each) === source);
  return copies.reduce((left, copy) => withCopiedFrom(left, copy, undefined), project);
}

/**
 * Returns the project without the data that plugins keep of a resource; those of all plugins unless keys are given.
 *
 * Plugins keep data of single resources in a list named `resources`, each entry with the resource's identity.
 */
export function withoutPluginData(
  project: ProjectConfig,
  gone: ProjectResource,
  keys?: readonly string[],
): ProjectConfig {
  if (project.plugins === undefined) return project;
  const kept = Object.entries(project.plugins).flatMap(([key, data]): readonly (readonly [string, unknown])[] => {
    const entries = resourceEntries(data);
    const left =
      keys === undefined || keys.includes(key) ? entries.filter((entry) => !isEntryOf(entry, gone)) : entries;
    if (left.length === entries.length) return [[key, data]];
    const { resources: _, ...others } = data as { readonly resources: unknown };
    if (left.length > 0) return [[key, { ...(data as object), resources: left }]];
    return Object.keys(others).length > 0 ? [[key, others]] : [];
  });
  const { plugins: _, ...others } = project;
  return kept.length === 0 ? others : { ...others, plugins: Object.fromEntries(kept) };
}

function resourceEntries(data: unknown): readonly unknown[] {
  const { resources } = (data ?? {}) as { readonly resources?: unknown };
  return Array.isArray(resources) ? resources : [];
}

function isEntryOf(entry: unknown, { group = "", domain = "", version, kind }: ProjectResource): boolean {
  const known = (entry ?? {}) as Partial<ProjectResource>;
  return (
    (known.group ?? "") === group && (known.domain ?? "") === domain && known.version === version && known.kind === kind
  );
}

/** Returns the entry of PROJECT that a request names. Fails: {@link ResourceNotFoundError}. */
function storedResource(project: ProjectConfig, request: DeleteRequest): ProjectResource {
  const found =
    findResource(project, request) ??
    (request.group === "" ? findResource(project, { ...request, group: "core" }) : undefined);
  if (found !== undefined) return found;
  const known = (project.resources ?? []).map((each) => `${each.group ?? ""}/${each.version}, Kind=${each.kind}`);
  throw new ResourceNotFoundError(`cannot delete ${nameOf(request)}: the project has no such API`, {
    hint:
      known.length === 0
        ? "the project has no APIs"
        : [proposeResource(project, request) ?? [], `it has ${known.join("; ")}`].flat().join(" "),
  });
}

function nameOf({ group, version, kind }: DeleteRequest): string {
  return `${group}/${version}, Kind=${kind}`;
}

// A single controller that has the name of its kind is the flag again, as it was before a second one was added.
function withControllers(resource: ProjectResource, names: readonly string[]): ProjectResource {
  const { controller: _one, controllers: _several, ...others } = resource;
  if (names.length === 0) return others;
  if (names.length === 1 && names[0] === resource.kind.toLowerCase()) return { ...others, controller: true };
  return { ...others, controllers: names.map((name) => ({ name })) };
}

// An entry of a kind of others that nothing is written for any more says nothing.
function emptyAsNothing(resource: ProjectResource): ProjectResource | undefined {
  const { api, controller, controllers, webhooks } = resource;
  return [api, controller, controllers, webhooks].every((each) => each === undefined) ? undefined : resource;
}
