import type { KindSource } from "../objects/kinds.ts";
import type { DevelopmentObjects } from "./development-cluster.ts";

const CRDS = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;

/** Returns the resources of a cluster in this process. */
export function kindsOfCluster({ objects, resources }: DevelopmentObjects): KindSource {
  return {
    served: resources.all(),
    definitionOf: ({ group, resource }) => objects.get(CRDS, { namespace: "", name: `${resource}.${group}` }),
  };
}
