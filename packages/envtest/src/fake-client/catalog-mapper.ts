import type { ResourceCatalog, ServedResource } from "@kubescaffold/apiserver";
import { apiVersionOf, groupKindToString, groupResourceToString } from "@kubescaffold/k8s";
import { NoMatchError, type RestMapper, type RestMapping } from "@kubescaffold/runtime";

/** Creates a mapper that reads the resources of a server in this process, without discovery. */
export function catalogMapper(catalog: ResourceCatalog): RestMapper {
  const stored = (): readonly ServedResource[] => catalog.all().filter(({ verbs }) => verbs.length > 0);
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
    kindFor: async (wanted) => {
      const found = stored().find(
        ({ group, resource, version }) =>
          group === wanted.group &&
          resource === wanted.resource &&
          (!("version" in wanted) || version === wanted.version),
      );
      if (found === undefined) throw new NoMatchError(`resource ${groupResourceToString(wanted)}`);
      return mappingOf(found).gvk;
    },
    reset: () => {},
  };
}

function mappingOf({ group, version, kind, resource, isNamespaced }: ServedResource): RestMapping {
  return {
    gvk: { group, version, kind },
    gvr: { group, version, resource },
    scope: isNamespaced ? "namespaced" : "cluster",
  };
}
