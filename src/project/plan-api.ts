import { coreGroupDomain, coreTypesModule } from "./core-groups.ts";
import { InvalidNameError, MultipleGroupsError, ResourceConflictError } from "./errors.ts";
import { findResource, type ProjectConfig, type ProjectResource } from "./project-config.ts";
import { groupIdentifier, pluralOf } from "./resource-names.ts";
import { validateGvk, validatePlural } from "./validate-names.ts";

/** What `create api` was asked for. */
export interface ApiRequest {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly resource: boolean;
  readonly controller: boolean;
  readonly namespaced: boolean;
  readonly force: boolean;
}

/**
 * Decides what PROJECT records of an API that is to be created.
 *
 * Guarantees: a stored plural and domain are used again; an entry that exists is extended, never weakened, unless forced.
 * Fails: {@link InvalidNameError}, {@link ResourceConflictError}, {@link MultipleGroupsError}; the project given is not changed.
 */
export function planApi(project: ProjectConfig, request: ApiRequest): ProjectResource {
  requireSomething(request);
  const stored = findResource(project, { group: storedGroup(request), version: request.version, kind: request.kind });
  const core = stored === undefined && !request.resource ? coreGroupDomain(request.group) : undefined;
  const domain = stored?.domain ?? core ?? project.domain ?? "";
  const isCore = core !== undefined || stored?.core === true;
  validateGvk({ group: request.group, domain, version: request.version, kind: request.kind });
  if (request.plural !== undefined) validatePlural(request.plural);
  refuseExisting(stored, request);
  if (request.resource) refuseSecondGroup(project, request.group);
  if (request.resource) refuseClash(project, request);
  return isCore ? coreResource(stored, request, domain) : ownResource(project, stored, { request, domain });
}

function requireSomething({ resource, controller }: ApiRequest): void {
  if (resource || controller) return;
  throw new InvalidNameError(
    "cannot create an API with neither a resource nor a controller: nothing would be written",
    {
      hint: "leave out --resource=false or --controller=false",
    },
  );
}

function storedGroup({ group, resource }: ApiRequest): string {
  return group === "" && !resource ? "core" : group;
}

function refuseExisting(stored: ProjectResource | undefined, request: ApiRequest): void {
  if (stored === undefined || request.force) return;
  const name = `${request.group}/${request.version}, Kind=${request.kind}`;
  if (request.resource && stored.api !== undefined) {
    throw new ResourceConflictError(`cannot create API ${name}: the API resource already exists`, {
      hint: "pass --force to write its files again, or --resource=false to add a controller alone",
    });
  }
  if (request.controller && hasController(stored)) {
    throw new ResourceConflictError(`cannot create a controller for ${name}: it already has a controller`, {
      hint: "pass --force to write its files again",
    });
  }
}

function hasController(resource: ProjectResource): boolean {
  return resource.controller === true || (resource.controllers ?? []).length > 0;
}

function refuseSecondGroup(project: ProjectConfig, group: string): void {
  if (project.multigroup === true) return;
  const known = ownGroups(project).find((each) => each.toLowerCase() !== group.toLowerCase());
  if (known !== undefined) throw new MultipleGroupsError({ known, wanted: group });
}

// Two kinds that differ in capitals only, or two groups that differ in punctuation only, would share files or identifiers.
function refuseClash(project: ProjectConfig, request: ApiRequest): void {
  const clash = (project.resources ?? []).find(
    (each) =>
      each.api !== undefined &&
      each.version === request.version &&
      each.kind.toLowerCase() === request.kind.toLowerCase() &&
      groupIdentifier(each.group ?? "").toLowerCase() === groupIdentifier(request.group).toLowerCase() &&
      (each.kind !== request.kind || (each.group ?? "") !== request.group),
  );
  if (clash === undefined) return;
  throw new ResourceConflictError(
    `cannot create API ${request.kind} of group "${request.group}": its names would be those of ${clash.kind} of group "${clash.group ?? ""}"`,
    { hint: "choose a kind or a group that differs in more than capitals and punctuation" },
  );
}

function ownGroups(project: ProjectConfig): readonly string[] {
  return (project.resources ?? []).filter((each) => each.api !== undefined).map((each) => each.group ?? "");
}

function coreResource(stored: ProjectResource | undefined, request: ApiRequest, domain: string): ProjectResource {
  const group = storedGroup(request);
  return withoutUndefined({
    ...stored,
    controller: request.controller || stored?.controller === true ? true : undefined,
    core: true,
    domain: domain === "" ? undefined : domain,
    group,
    kind: request.kind,
    path: coreTypesModule(group, request.version),
    plural: pluralEntry(stored, request),
    version: request.version,
  });
}

function ownResource(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  { request, domain }: { readonly request: ApiRequest; readonly domain: string },
): ProjectResource {
  const hasApi = request.resource || stored?.api !== undefined;
  return withoutUndefined({
    ...stored,
    api: apiEntry(stored, request),
    controller: request.controller || stored?.controller === true ? true : undefined,
    domain: domain === "" ? undefined : domain,
    group: request.group === "" ? undefined : request.group,
    kind: request.kind,
    path: hasApi ? (stored?.path ?? typesPath(project, request)) : stored?.path,
    plural: pluralEntry(stored, request),
    version: request.version,
  });
}

function apiEntry(stored: ProjectResource | undefined, request: ApiRequest): ProjectResource["api"] | undefined {
  if (!request.resource) return stored?.api;
  const { namespaced: _, ...kept } = stored?.api ?? {};
  return { ...kept, crdVersion: "v1", ...(request.namespaced ? { namespaced: true } : {}) };
}

function typesPath(project: ProjectConfig, { group, version }: ApiRequest): string {
  const below = project.multigroup === true && group !== "" ? `${group}/` : "";
  return `${project.repo ?? ""}/api/${below}${version}`;
}

function pluralEntry(stored: ProjectResource | undefined, request: ApiRequest): string | undefined {
  const derived = pluralOf(request.kind);
  const known = stored?.plural ?? (stored === undefined ? undefined : derived);
  if (request.plural !== undefined && known !== undefined && known !== request.plural) {
    throw new ResourceConflictError(
      `cannot use plural "${request.plural}" for kind ${request.kind}: PROJECT has the plural "${known}"`,
      { hint: "leave out --plural, or correct the entry in PROJECT" },
    );
  }
  const plural = request.plural ?? stored?.plural ?? derived;
  validatePlural(plural);
  return plural === derived ? undefined : plural;
}

// Entries of PROJECT have no key without a value.
function withoutUndefined(resource: {
  readonly [K in keyof ProjectResource]: ProjectResource[K] | undefined;
}): ProjectResource {
  return Object.fromEntries(
    Object.entries(resource).filter(([, value]) => value !== undefined),
  ) as unknown as ProjectResource;
}
