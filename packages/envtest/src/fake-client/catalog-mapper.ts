import type { ResourceCatalog, ServedResource } from "@kubescaffold/apiserver";
import { apiVersionOf, groupKindToString } from "@kubescaffold/k8s";
import {
  createDefaultRestMapper,
  type MappedKind,
  NoMatchError,
  type RestMapper,
  type RestMapping,
} from "@kubescaffold/runtime";

/** Creates a mapper that reads the resources of a server in this process, without discovery. */
export function catalogMapper(catalog: ResourceCatalog): RestMapper {
  const stored = (): readonly ServedResource[] => catalog.all().filter(({ verbs }) => verbs.length > 0);
  const mapper = (): RestMapper => createDefaultRestMapper(stored().map((resource) => mappedKind(resource)));
  return {
    restMapping: async (gvk) => {
      const found = catalog.findByKind(gvk);
      if (found === undefined) throw new NoMatchError(`kind ${gvk.kind} in ${apiVersionOf(gvk)}`);
      return mappingOf(found);
    },
    restMappings: async ({ group, kind }) => {
      const found = stored().filter((resource) => resource.group === group && resource.kind === kind);
      if (found.length === 0) throw new NoMatchError(`kind ${groupKindToString({ group, kind })}`);
      return found.map(mappingOf);
    },
    kindFor: async (resource) => preferred(await mapper().kindsFor(resource)),
    kindsFor: (resource) => mapper().kindsFor(resource),
    resourceFor: async (resource) => preferred(await mapper().resourcesFor(resource)),
    resourcesFor: (resource) => mapper().resourcesFor(resource),
    singularOf: (resource) => mapper().singularOf(resource),
    reset: () => {},
  };
}

// The preferred version comes first, and a mapper never returns an empty list.
function preferred<T>(found: readonly T[]): T {
  return found[0] as T;
}

function mappedKind(served: ServedResource): MappedKind {
  const { gvk, scope } = mappingOf(served);
  return { gvk, scope, plural: served.resource, singular: served.singular };
}

function mappingOf({ group, version, kind, resource, isNamespaced }: ServedResource): RestMapping {
  return {
    gvk: { group, version, kind },
    gvr: { group, version, resource },
    scope: isNamespaced ? "namespaced" : "cluster",
  };
}
