import { apiVersionOf, type GroupVersion } from "@kubescaffold/k8s";
import { isRecord } from "@kubescaffold/platform";

import { UnexpectedAnswerError } from "../rest/errors.ts";
import type { RestClient } from "../rest/rest-client.ts";

/**
 * An endpoint of a group version.
 *
 * apimachinery: pkg/apis/meta/v1.APIResource
 */
export interface ApiResource {
  /** The plural name, with the subresource after a slash: `deployments/scale`. */
  readonly name: string;
  /** The singular name; may be empty. */
  readonly singularName: string;
  /** The kind of the objects. */
  readonly kind: string;
  /** Whether the objects are namespaced. */
  readonly namespaced: boolean;
  /** The supported verbs. */
  readonly verbs: readonly string[];
  /** Short names for kubectl. */
  readonly shortNames: readonly string[];
  /** Groups of resources such as `all`. */
  readonly categories: readonly string[];
}

/** A version of an API group. */
export interface DiscoveredVersion {
  /** The name of the version: `v1beta1`. */
  readonly version: string;
  /** Its resources; undefined if the server did not return them, then call {@link DiscoveryClient.resources}. */
  readonly resources: readonly ApiResource[] | undefined;
}

/** An API group; its preferred version comes first. */
export interface DiscoveredGroup {
  /** The name of the group; empty for the core group. */
  readonly name: string;
  /** The versions, the preferred one first. */
  readonly versions: readonly DiscoveredVersion[];
}

/**
 * The response of `/version`.
 *
 * apimachinery: pkg/version.Info
 */
export interface ServerVersion {
  /** The major version: `1`. */
  readonly major: string;
  /** The minor version: `36`. */
  readonly minor: string;
  /** The full version: `v1.36.0`. */
  readonly gitVersion: string;
  /** The operating system and architecture: `linux/amd64`. */
  readonly platform?: string;
}

/**
 * Discovers the APIs of a server; every call sends a request.
 *
 * client-go: discovery.DiscoveryClient
 */
export interface DiscoveryClient {
  /** Returns all groups, with their resources where the server supports aggregated discovery (two requests). */
  groups(): Promise<readonly DiscoveredGroup[]>;
  /** Returns a group with its versions. Fails: `isNotFound` when the server does not serve it. */
  group(name: string): Promise<DiscoveredGroup>;
  /** Returns the resources of a group version. Fails: `isNotFound` when the server does not serve it. */
  resources(groupVersion: GroupVersion): Promise<readonly ApiResource[]>;
  /** Returns the server's version. */
  serverVersion(): Promise<ServerVersion>;
}

/**
 * Creates a discovery client on a REST client.
 *
 * client-go: discovery.NewDiscoveryClient
 */
export function createDiscoveryClient(rest: RestClient): DiscoveryClient {
  return {
    groups: async () => (await Promise.all([coreGroups(rest), namedGroups(rest)])).flat(),
    group: (name) => (name === "" ? coreGroup(rest) : namedGroup(rest, name)),
    resources: (groupVersion) => resources(rest, groupVersion),
    serverVersion: () => rest.request({ method: "GET", path: "/version" }),
  };
}

const AGGREGATED = ["v2", "v2beta1"].map(
  (version) => `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
);
const ACCEPT = [...AGGREGATED, "application/json"].join(",");

interface LegacyGroup {
  readonly name: string;
  readonly preferredVersion?: { readonly version: string } | null;
}

async function coreGroups(rest: RestClient): Promise<readonly DiscoveredGroup[]> {
  const { body, contentType } = await rest.negotiate({ method: "GET", path: CORE_PATH, accept: ACCEPT });
  return isAggregated(contentType) ? readAggregatedGroups(CORE_PATH, body) : [legacyCore(body)];
}

async function namedGroups(rest: RestClient): Promise<readonly DiscoveredGroup[]> {
  const { body, contentType } = await rest.negotiate({ method: "GET", path: GROUPS_PATH, accept: ACCEPT });
  return isAggregated(contentType)
    ? readAggregatedGroups(GROUPS_PATH, body)
    : objectsIn<LegacyGroup>(GROUPS_PATH, body, "groups").map((group) => legacyGroup(GROUPS_PATH, group));
}

const CORE_PATH = "/api";
const GROUPS_PATH = "/apis";

async function coreGroup(rest: RestClient): Promise<DiscoveredGroup> {
  return legacyCore(await rest.request({ method: "GET", path: CORE_PATH }));
}

async function namedGroup(rest: RestClient, name: string): Promise<DiscoveredGroup> {
  const path = `${GROUPS_PATH}/${encodeURIComponent(name)}`;
  return legacyGroup(path, await rest.request({ method: "GET", path }));
}

// A server may write an empty list as null.
function listIn(path: string, body: unknown, field: string): readonly unknown[] {
  if (!isRecord(body)) throw new UnexpectedAnswerError(`GET ${path}`, "it is not an object");
  const list = body[field] ?? [];
  if (Array.isArray(list)) return list;
  throw new UnexpectedAnswerError(`GET ${path}`, `${field} is not a list`);
}

function objectsIn<T>(path: string, body: unknown, field: string): readonly T[] {
  const list = listIn(path, body, field);
  if (list.every(isRecord)) return list as readonly T[];
  throw new UnexpectedAnswerError(`GET ${path}`, `${field} is not a list of objects`);
}

function isAggregated(contentType: string): boolean {
  return contentType.includes("as=APIGroupDiscoveryList");
}

function legacyCore(body: unknown): DiscoveredGroup {
  const versions = listIn(CORE_PATH, body, "versions").filter((version) => typeof version === "string");
  return { name: "", versions: versions.map((version) => ({ version, resources: undefined })) };
}

function legacyGroup(path: string, group: LegacyGroup): DiscoveredGroup {
  const names = objectsIn<{ readonly version: string }>(path, group, "versions").map(({ version }) => version);
  const { name, preferredVersion } = group;
  const preferred = preferredVersion?.version;
  const ordered = preferred === undefined ? names : [preferred, ...names.filter((version) => version !== preferred)];
  return { name, versions: ordered.map((version) => ({ version, resources: undefined })) };
}

interface LegacyResource {
  readonly name: string;
  readonly singularName?: string;
  readonly kind: string;
  readonly namespaced?: boolean;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

async function resources(rest: RestClient, groupVersion: GroupVersion): Promise<readonly ApiResource[]> {
  const path = groupVersion.group === "" ? `/api/${groupVersion.version}` : `/apis/${apiVersionOf(groupVersion)}`;
  const list = await rest.request({ method: "GET", path });
  return objectsIn<LegacyResource>(path, list, "resources").map((resource) => ({
    name: resource.name,
    singularName: resource.singularName ?? "",
    kind: resource.kind,
    namespaced: resource.namespaced ?? false,
    verbs: resource.verbs ?? [],
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
  }));
}

interface AggregatedSubresource {
  readonly subresource: string;
  readonly responseKind?: { readonly kind?: string } | null;
  readonly verbs?: readonly string[];
}

interface AggregatedResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string } | null;
  readonly scope?: string;
  readonly singularResource?: string;
  readonly verbs?: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string } | null;
}

/** Parses an `APIGroupDiscoveryList`; resources of stale versions are undefined. */
function readAggregatedGroups(path: string, body: unknown): readonly DiscoveredGroup[] {
  return objectsIn<AggregatedGroup>(path, body, "items").map((group) => ({
    name: group.metadata?.name ?? "",
    versions: objectsIn<AggregatedVersion>(path, group, "versions").map((version) => readVersion(path, version)),
  }));
}

function readVersion(path: string, version: AggregatedVersion): DiscoveredVersion {
  const read = objectsIn<AggregatedResource>(path, version, "resources");
  return {
    version: version.version,
    resources: version.freshness === "Stale" ? undefined : read.flatMap((resource) => readResource(path, resource)),
  };
}

function readResource(path: string, resource: AggregatedResource): readonly ApiResource[] {
  const main: ApiResource = {
    name: resource.resource,
    singularName: resource.singularResource ?? "",
    kind: resource.responseKind?.kind ?? "",
    namespaced: resource.scope === "Namespaced",
    verbs: resource.verbs ?? [],
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
  };
  const subresources = objectsIn<AggregatedSubresource>(path, resource, "subresources").map((subresource) => ({
    ...main,
    name: `${resource.resource}/${subresource.subresource}`,
    kind: subresource.responseKind?.kind ?? "",
    verbs: subresource.verbs ?? [],
    shortNames: [],
    categories: [],
  }));
  return [main, ...subresources];
}
