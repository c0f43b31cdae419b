import { API_SERVICES } from "../../aggregation/api-services.ts";
import type { ApiObject } from "../../storage/api-object.ts";
import type { Demand } from "../on-demand-controller.ts";

/** Where CustomResourceDefinitions are stored. */
export const DEFINITIONS = { group: "apiextensions.k8s.io", resource: "customresourcedefinitions" } as const;

/** Definitions need APIServices. */
export const DEFINITIONS_EXIST: Demand = { resources: [DEFINITIONS] };

/** APIServices of other servers need checks. */
export const OTHER_SERVERS_EXIST: Demand = {
  resources: [API_SERVICES],
  isNeededBy: (object: ApiObject) => {
    const { service } = (object["spec"] ?? {}) as { readonly service?: object };
    return service !== undefined;
  },
};
