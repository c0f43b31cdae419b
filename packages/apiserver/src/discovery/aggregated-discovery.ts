import type { GroupVersionKind } from "@kubescaffold/k8s";

import type { Registry, ResourceType } from "../resources/registry.ts";
import { groupsOf, typesOf, versionsOf } from "./legacy-discovery.ts";

/** The parameters that the `Content-Type` of aggregated discovery has. */
export const AGGREGATED_PARAMETERS = "g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

/** The body of aggregated discovery: of `/api` with the core group, of `/apis` with all others. */
export function aggregatedDiscovery(registry: Registry, { isCore }: { readonly isCore: boolean }): unknown {
  const groups = groupsOf(registry).filter((group) => (group === "") === isCore);
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    metadata: {},
    items: groups.map((group) => ({
      metadata: group === "" ? {} : { name: group },
      versions: versionsOf(registry, group).map((version) => ({
        version,
        freshness: "Current",
        resources: typesOf(registry, { group, version }).map((type) => discoveryEntry(type)),
      })),
    })),
  };
}

function discoveryEntry(type: ResourceType): unknown {
  return {
    resource: type.resource,
    responseKind: responseKind(type, type),
    scope: type.isNamespaced ? "Namespaced" : "Cluster",
    singularResource: type.singular,
    verbs: type.verbs,
    ...(type.shortNames.length === 0 ? {} : { shortNames: type.shortNames }),
    ...(type.categories.length === 0 ? {} : { categories: type.categories }),
    ...(type.subresourceTypes.length === 0
      ? {}
      : {
          subresources: type.subresourceTypes.map((entry) => ({
            subresource: entry.name,
            responseKind: responseKind(type, entry),
            verbs: entry.verbs,
          })),
        }),
  };
}

// Built-in resources state a group and version only where they are not their own.
function responseKind(type: ResourceType, { group, version, kind }: GroupVersionKind): GroupVersionKind {
  const isOwn = group === type.group && version === type.version;
  return isOwn && !type.isCustom ? { group: "", version: "", kind } : { group, version, kind };
}
