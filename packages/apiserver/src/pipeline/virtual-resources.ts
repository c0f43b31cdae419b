import type { RequestInfo } from "../request/request-info.ts";
import type { VirtualResource } from "./virtual-resource.ts";

/** Finds the handler of a resource without storage. */
export interface VirtualResources {
  find(info: RequestInfo): VirtualResource | undefined;
}

/** Makes the table of handlers. */
export function createVirtualResources(resources: readonly VirtualResource[]): VirtualResources {
  const byPath = new Map(resources.map((resource) => [pathOf(resource), resource]));
  return { find: (info) => byPath.get(pathOf(info)) };
}

function pathOf(resource: Pick<VirtualResource, "group" | "version" | "resource" | "subresource">): string {
  return [resource.group, resource.version, resource.resource, resource.subresource].join("/");
}
