import type { ApiResource, DiscoveredGroup, DiscoveredVersion } from "./discovery-client.ts";

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
  readonly subresources?: readonly AggregatedSubresource[];
}

interface AggregatedVersion {
  readonly version: string;
  readonly freshness?: string;
  readonly resources?: readonly AggregatedResource[];
}

interface AggregatedGroup {
  readonly metadata?: { readonly name?: string };
  readonly versions?: readonly AggregatedVersion[];
}

/** Reads an `APIGroupDiscoveryList`; the resources of versions that the server calls stale are left open. */
export function readAggregatedGroups(body: unknown): readonly DiscoveredGroup[] {
  const { items = [] } = body as { readonly items?: readonly AggregatedGroup[] };
  return items.map((group) => ({
    name: group.metadata?.name ?? "",
    versions: (group.versions ?? []).map((version) => readVersion(version)),
  }));
}

function readVersion({ version, freshness, resources = [] }: AggregatedVersion): DiscoveredVersion {
  return {
    version,
    resources: freshness === "Stale" ? undefined : resources.flatMap((resource) => readResource(resource)),
  };
}

function readResource(resource: AggregatedResource): readonly ApiResource[] {
  const main: ApiResource = {
    name: resource.resource,
    singularName: resource.singularResource ?? "",
    kind: resource.responseKind?.kind ?? "",
    namespaced: resource.scope === "Namespaced",
    verbs: resource.verbs ?? [],
    shortNames: resource.shortNames ?? [],
    categories: resource.categories ?? [],
  };
  const subresources = (resource.subresources ?? []).map((subresource) => ({
    ...main,
    name: `${resource.resource}/${subresource.subresource}`,
    kind: subresource.responseKind?.kind ?? "",
    verbs: subresource.verbs ?? [],
    shortNames: [],
    categories: [],
  }));
  return [main, ...subresources];
}
