import type { ObjectTarget } from "../pipeline/internal-client.ts";
import type { ServerContext } from "../pipeline/server-context.ts";
import type { ServedResource } from "../resources/resource-catalog.ts";
import type { ApiObject } from "../storage/api-object.ts";

/** Returns how to reach an object of a served resource, or one of its subresources. */
export function targetOf(
  resource: Pick<ServedResource, "group" | "version" | "resource">,
  object: ApiObject,
  subresource?: string,
): ObjectTarget {
  return {
    group: resource.group,
    version: resource.version,
    resource: resource.resource,
    namespace: object.metadata.namespace ?? "",
    name: object.metadata.name ?? "",
    ...(subresource === undefined ? {} : { subresource }),
  };
}

/** Lists one version of every served resource that has all of these verbs, each place of storage once. */
export function storedResources(context: ServerContext, verbs: readonly string[]): readonly ServedResource[] {
  const seen = new Set<string>();
  return context.resources.all().filter((resource) => {
    const place = `${resource.storedAs.group}/${resource.storedAs.resource}`;
    if (seen.has(place) || !verbs.every((verb) => resource.verbs.includes(verb))) return false;
    seen.add(place);
    return true;
  });
}
