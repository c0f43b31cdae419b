import type { Endpoints, Service } from "@kubescaffold/k8s/core/v1";

/** Where Services are stored and served. */
export const SERVICES = { group: "", version: "v1", resource: "services" } as const;
/** Where Endpoints are stored and served. */
export const ENDPOINTS = { group: "", version: "v1", resource: "endpoints" } as const;
/** Where EndpointSlices are stored and served. */
export const ENDPOINT_SLICES = { group: "discovery.k8s.io", version: "v1", resource: "endpointslices" } as const;

/** The label of what a controller writes, with the name of the controller. */
export const ENDPOINTS_MANAGED_BY = "endpoints.kubernetes.io/managed-by";

/** Reports whether the endpoints of a Service are the Pods that it selects. */
export function hasSelector({ spec }: Service): boolean {
  return spec?.selector !== undefined && spec.type !== "ExternalName";
}

/** Reports whether Endpoints were not written by a controller. */
export function isWrittenByUser({ metadata }: Endpoints): boolean {
  return metadata.labels?.[ENDPOINTS_MANAGED_BY] === undefined;
}
