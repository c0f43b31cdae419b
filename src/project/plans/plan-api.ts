import { coreGroupDomain, coreTypesModule } from "../core-groups.ts";
import { InvalidNameError, MultipleGroupsError, ResourceConflictError, ResourceNotFoundError } from "../errors.ts";
import { proposeResource } from "../near-resource.ts";
import { findResource, type ProjectConfig, type ProjectResource, qualifiedGroupOf } from "../project-config.ts";
import { typesPathOf, groupIdentifier, pluralOf } from "../resource-names.ts";
import { validateGvk, validateOwnKind, validatePlural } from "../validate-names.ts";
import { planController, type PlannedControllers } from "./plan-controllers.ts";
import { type ExternalApi, type ExternalRequest, planExternal, refuseOwnTypes } from "./plan-external.ts";

/** What `create api` was asked for. */
export interface ApiRequest extends ExternalRequest {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly resource: boolean;
  readonly controller: boolean;
  /** The name of the controller, where it is not that of the kind. */
  readonly controllerName?: string | undefined;
  /** Where objects of the kind live: that of its other versions, else namespaces, when nothing is said. */
  readonly namespaced?: boolean | undefined;
  /** Whether the kind gets what server-side apply takes; undefined leaves it as it is. */
  readonly ssa?: boolean | undefined;
  readonly force: boolean;
}

/** What is recorded of an API, and the name of the controller that is to be written, where it is not that of the kind. */
interface PlannedApi {
  readonly resource: ProjectResource;
  readonly controllerName: string | undefined;
}

/**
 * Decides what PROJECT records of an API that is to be created.
 *
 * Guarantees: a stored plural and domain are used again; an entry that exists is extended, never weakened, unless forced.
 * Fails: {@link InvalidNameError}, {@link ResourceConflictError}, {@link MultipleGroupsError}; the project given is not changed.
 */
export function planApi(project: ProjectConfig, request: ApiRequest): PlannedApi {
  requireSomething(request);
  refuseApplyWithoutTypes(request);
  const external = planExternal(request);
  const stored = findStored(project, request, external);
  if (external !== undefined) refuseOwnTypes(stored);
  const core =
    stored === undefined && external === undefined && !request.resource
      ? coreGroupDomain(coreGroup(request))
      : undefined;
  const domain = external?.domain ?? (stored === undefined ? (core ?? project.domain) : stored.domain) ?? "";
  const isCore = core !== undefined || stored?.core === true;
  const group = isCore ? coreGroup(request) : request.group;
  validateGvk({ group, domain, version: request.version, kind: request.kind });
  if (request.resource) validateOwnKind(request.kind);
  if (request.plural !== undefined) validatePlural(request.plural);
  refuseExisting(stored, request);
  if (stored === undefined && core === undefined && external === undefined && !request.resource)
    throw unknownTypes(project, request);
  if (request.resource) refuseSecondGroup(project, request.group);
  if (request.resource) refuseClash(project, request);
  const definition = planDefinition(project, stored, { ...request, domain });
  const controllers = controllersFor(project, stored, request);
  const parts = { request, domain, controllers: controllers.entries, definition };
  const resource = isCore ? coreResource(stored, parts) : ownResource(project, stored, { ...parts, external });
  return { resource, controllerName: controllers.name };
}

function findStored(
  project: ProjectConfig,
  request: ApiRequest,
  external: ExternalApi | undefined,
): ProjectResource | undefined {
  const { group, version, kind, resource } = request;
  const wanted = { group, version, kind, domain: external?.domain };
  // A kind with its own types is in the domain of the project, beside one of Kubernetes with the same names.
  const own = { ...project, resources: (project.resources ?? []).filter((each) => each.core !== true) };
  const stored = findResource(own, wanted) ?? (resource ? undefined : findResource(project, wanted));
  if (stored !== undefined || resource || external !== undefined) return stored;
  return findResource(project, { ...wanted, group: coreGroup(request) });
}

function controllersFor(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  request: ApiRequest,
): PlannedControllers {
  if (request.controller) return planController(project, stored, request);
  if (request.controllerName !== undefined) {
    throw new InvalidNameError("cannot use --controller-name without a controller", {
      hint: "omit --controller-name, or pass --controller",
    });
  }
  const { controller, controllers } = stored ?? {};
  return {
    entries: {
      ...(controller === undefined ? {} : { controller }),
      ...(controllers === undefined ? {} : { controllers }),
    },
    name: undefined,
  };
}

function requireSomething({ resource, controller }: ApiRequest): void {
  if (resource || controller) return;
  throw new InvalidNameError(
    "cannot create an API with neither a resource nor a controller: nothing would be written",
    {
      hint: "omit --resource=false or --controller=false",
    },
  );
}

function refuseApplyWithoutTypes({ ssa, resource }: ApiRequest): void {
  if (ssa !== true || resource) return;
  throw new InvalidNameError(
    "cannot use --ssa with --resource=false: apply configurations are generated from the types of the kind",
    {
      hint: "omit --ssa; for built-in kinds, import from @kubescaffold/k8s/apply, such as @kubescaffold/k8s/apply/apps/v1",
    },
  );
}

// Kubernetes' own group without a name is called core in PROJECT.
function coreGroup({ group }: ApiRequest): string {
  return group === "" ? "core" : group;
}

function refuseExisting(stored: ProjectResource | undefined, request: ApiRequest): void {
  if (stored === undefined || request.force) return;
  const name = `${request.group}/${request.version}, Kind=${request.kind}`;
  if (request.resource && stored.api !== undefined) {
    throw new ResourceConflictError(`cannot create API ${name}: the API resource already exists`, {
      hint: "pass --force to overwrite its files, or --resource=false to add only a controller",
    });
  }
}

function unknownTypes(project: ProjectConfig, { group, version, kind }: ApiRequest): ResourceNotFoundError {
  const proposed = proposeResource(project, { group, version, kind });
  const write = "--resource=false to write its types, or set their module with --external-api-path";
  return new ResourceNotFoundError(`cannot create a controller: no API found for ${group}/${version}, Kind=${kind}`, {
    hint: proposed === undefined ? `omit ${write}` : `${proposed} If not, omit ${write}`,
  });
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
    `cannot create API ${request.kind} of group "${request.group}": its names conflict with ${clash.kind} of group "${clash.group ?? ""}"`,
    { hint: "choose a kind or group that differs in more than case and punctuation" },
  );
}

function ownGroups(project: ProjectConfig): readonly string[] {
  return (project.resources ?? []).filter((each) => each.api !== undefined).map((each) => each.group ?? "");
}

interface ResourceParts {
  readonly request: ApiRequest;
  readonly domain: string;
  readonly definition: PlannedDefinition;
  readonly controllers: PlannedControllers["entries"];
}

function coreResource(
  stored: ProjectResource | undefined,
  { request, domain, controllers, definition }: ResourceParts,
): ProjectResource {
  const group = coreGroup(request);
  return withoutUndefined({
    ...withoutControllers(stored),
    ...controllers,
    core: true,
    domain: domain === "" ? undefined : domain,
    group,
    kind: request.kind,
    path: coreTypesModule(group, request.version),
    plural: definition.plural,
    version: request.version,
  });
}

function ownResource(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  {
    request,
    domain,
    controllers,
    definition,
    external,
  }: ResourceParts & { readonly external: ExternalApi | undefined },
): ProjectResource {
  const hasApi = request.resource || stored?.api !== undefined;
  return withoutUndefined({
    ...withoutControllers(stored),
    ...controllers,
    api: apiEntry(stored, request, definition),
    ...(external === undefined ? {} : { external: true, module: external.module }),
    domain: domain === "" ? undefined : domain,
    group: request.group === "" ? undefined : request.group,
    kind: request.kind,
    path: external?.path ?? (hasApi ? (stored?.path ?? typesPathOf(project, request)) : stored?.path),
    plural: definition.plural,
    version: request.version,
  });
}

function withoutControllers(stored: ProjectResource | undefined): Partial<ProjectResource> {
  const { controller: _one, controllers: _several, ...others } = stored ?? {};
  return others;
}

function apiEntry(
  stored: ProjectResource | undefined,
  request: ApiRequest,
  { namespaced }: PlannedDefinition,
): ProjectResource["api"] | undefined {
  if (!request.resource) return stored?.api;
  const { namespaced: _, ssa: stands, ...kept } = stored?.api ?? {};
  return {
    ...kept,
    crdVersion: "v1",
    ...(namespaced ? { namespaced: true } : {}),
    ...((request.ssa ?? stands) === true ? { ssa: true } : {}),
  };
}

// Entries of PROJECT have no key without a value.
function withoutUndefined(resource: {
  readonly [K in keyof ProjectResource]: ProjectResource[K] | undefined;
}): ProjectResource {
  return Object.fromEntries(
    Object.entries(resource).filter(([, value]) => value !== undefined),
  ) as unknown as ProjectResource;
}

/** What all versions of a kind share, since they are versions of one definition. */
interface PlannedDefinition {
  /** The plural, where it is not the derived one. */
  readonly plural: string | undefined;
  readonly namespaced: boolean;
}

interface DefinitionRequest {
  readonly group: string;
  readonly domain: string;
  readonly version: string;
  readonly kind: string;
  readonly plural?: string | undefined;
  readonly namespaced?: boolean | undefined;
  readonly resource: boolean;
}

/**
 * Decides the plural and the scope of a kind: those that it has, in this version or another, else those that are asked for.
 *
 * Fails: `InvalidNameError`, {@link ResourceConflictError} for another plural or scope than the kind has, and for a plural that another kind has.
 */
export function planDefinition(
  project: ProjectConfig,
  stored: ProjectResource | undefined,
  request: DefinitionRequest,
): PlannedDefinition {
  const siblings = neighbors(project, request).filter(({ kind }) => kind === request.kind);
  const sibling = siblings.find(({ version }) => version !== request.version);
  const plural = pluralFor(stored ?? sibling, request);
  if (request.resource) refuseTakenPlural(project, plural, request);
  return { plural: plural === pluralOf(request.kind) ? undefined : plural, namespaced: scopeFor(sibling, request) };
}

// The kinds whose definitions the project holds in the group.
function neighbors(project: ProjectConfig, { group, domain }: DefinitionRequest): readonly ProjectResource[] {
  const qualified = qualifiedGroupOf({ group, domain });
  return (project.resources ?? []).filter((each) => each.api !== undefined && qualifiedGroupOf(each) === qualified);
}

function pluralFor(known: ProjectResource | undefined, { kind, plural }: DefinitionRequest): string {
  const derived = pluralOf(kind);
  const stored = known === undefined ? undefined : (known.plural ?? derived);
  if (plural !== undefined && stored !== undefined && stored !== plural) {
    throw new ResourceConflictError(
      `cannot use plural "${plural}" for kind ${kind}: PROJECT has the plural "${stored}"`,
      { hint: "omit --plural, or fix the entry in PROJECT" },
    );
  }
  const wanted = plural ?? stored ?? derived;
  validatePlural(wanted);
  return wanted;
}

function refuseTakenPlural(project: ProjectConfig, plural: string, request: DefinitionRequest): void {
  const clash = neighbors(project, request).find(
    (each) => each.kind !== request.kind && (each.plural ?? pluralOf(each.kind)) === plural,
  );
  if (clash === undefined) return;
  throw new ResourceConflictError(
    `cannot create API ${request.kind} of group "${request.group}": its plural "${plural}" is that of ${clash.kind}`,
    { hint: "pass another plural with --plural" },
  );
}

function scopeFor(sibling: ProjectResource | undefined, { kind, namespaced }: DefinitionRequest): boolean {
  if (sibling === undefined) return namespaced ?? true;
  const isNamespaced = sibling.api?.namespaced === true;
  if (namespaced === undefined || namespaced === isNamespaced) return isNamespaced;
  throw new ResourceConflictError(
    `cannot use --namespaced=${namespaced} for kind ${kind}: version ${sibling.version} is ${isNamespaced ? "namespaced" : "cluster-scoped"}`,
    { hint: "omit --namespaced: all versions of a kind have one scope" },
  );
}
