import { apiVersionOf, type GroupVersionResource } from "@kubescaffold/k8s";

/** Names an endpoint below a group version. */
export interface ResourceTarget {
  readonly gvr: GroupVersionResource;
  /** Empty for cluster-scoped objects and for all namespaces. */
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource?: string;
}

/** Returns the path of an endpoint, each segment encoded. */
export function resourcePath({ gvr, namespace, name, subresource }: ResourceTarget): string {
  const root = gvr.group === "" ? `/api/${gvr.version}` : `/apis/${apiVersionOf(gvr)}`;
  const segments = [
    ...(namespace === "" ? [] : ["namespaces", namespace]),
    gvr.resource,
    ...(name === "" ? [] : [name]),
    ...(subresource === undefined ? [] : subresource.split("/")),
  ];
  return [root, ...segments.map(encodeURIComponent)].join("/");
}
