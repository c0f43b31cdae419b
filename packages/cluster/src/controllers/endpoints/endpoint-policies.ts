import type { Endpoints, Service } from "@kubescaffold/k8s/core/v1";

import type { ControllerRule } from "../store-controller.ts";

/** Where Services are stored and served. */
export const SERVICES = { group: "", version: "v1", resource: "services" } as const;
/** Where Endpoints are stored and served. */
export const ENDPOINTS = { group: "", version: "v1", resource: "endpoints" } as const;
/** Where EndpointSlices are stored and served. */
export const ENDPOINT_SLICES = { group: "discovery.k8s.io", version: "v1", resource: "endpointslices" } as const;

const EVENT_RULE: ControllerRule = {
  apiGroups: ["", "events.k8s.io"],
  resources: ["events"],
  verbs: ["create", "patch", "update"],
};
const SLICE_RULE: ControllerRule = {
  apiGroups: ["discovery.k8s.io"],
  resources: ["endpointslices"],
  verbs: ["create", "delete", "get", "list", "update"],
};
const RESTRICTED_SLICE_RULE: ControllerRule = {
  apiGroups: ["discovery.k8s.io"],
  resources: ["endpointslices/restricted"],
  verbs: ["create"],
};

/** The name of the service account that writes Endpoints. */
export const ENDPOINT_CONTROLLER = "endpoint-controller";

/** Permissions to write Endpoints. */
export const ENDPOINT_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["pods", "services"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["endpoints"], verbs: ["create", "delete", "get", "list", "update"] },
  { apiGroups: [""], resources: ["endpoints/restricted"], verbs: ["create"] },
  EVENT_RULE,
];

/** The name of the service account that writes EndpointSlices. */
export const ENDPOINT_SLICE_CONTROLLER = "endpointslice-controller";

/** Permissions to write EndpointSlices. */
export const ENDPOINT_SLICE_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["nodes", "pods", "services"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["services/finalizers"], verbs: ["update"] },
  SLICE_RULE,
  RESTRICTED_SLICE_RULE,
  EVENT_RULE,
];

/** The name of the service account that copies Endpoints to EndpointSlices. */
export const ENDPOINT_MIRRORING_CONTROLLER = "endpointslicemirroring-controller";

/** Permissions to copy Endpoints to EndpointSlices. */
export const ENDPOINT_MIRRORING_CONTROLLER_RULES: readonly ControllerRule[] = [
  { apiGroups: [""], resources: ["endpoints", "services"], verbs: ["get", "list", "watch"] },
  { apiGroups: [""], resources: ["endpoints/finalizers", "services/finalizers"], verbs: ["update"] },
  SLICE_RULE,
  RESTRICTED_SLICE_RULE,
  EVENT_RULE,
];

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
